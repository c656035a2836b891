// Draws the pictures of the page, again when its size changes, and once more for paper.

const pictures = JSON.parse(document.getElementById("pictures").textContent);

// Plots of one group show the same stretch.
let following = false;
function follow(plot, low, high) {
  if (following || !plot.group) return;
  following = true;
  for (const { content, drawn } of pictures) if (content !== plot && content.group === plot.group && drawn?.set) drawn.set(low, high);
  following = false;
}

pictures.forEach((picture, i) => {
  picture.area = document.querySelector(`[data-picture="${i}"] .area`);
  picture.drawn = picture.kind === "plot" ? drawPlot(picture.content, picture.area, i, follow) : drawChart(picture.kind, picture.content, picture.area, i);
});
const redraw = () => pictures.forEach(({ area, drawn }) => { if (area.clientWidth) drawn.draw(); });

let waiting = 0;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(redraw, 100);
});
// What is folded has no width to draw for.
for (const fold of document.querySelectorAll("details")) fold.addEventListener("toggle", () => { if (fold.open) redraw(); });
function unfold() {
  const fold = document.getElementById(location.hash.slice(1))?.querySelector("details");
  if (fold) fold.open = true;
}
addEventListener("hashchange", unfold);
unfold();

// Paper gets lines, not pixels, as wide as the sheet, and everything that is folded.
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details:not([open])")) {
    fold.classList.add("opened");
    fold.open = true;
  }
  for (const { area, drawn } of pictures) {
    const paper = element("div", "paper");
    paper.innerHTML = drawn.paper();
    area.prepend(paper);
    area.classList.add("printing");
  }
});
addEventListener("afterprint", () => {
  for (const fold of document.querySelectorAll("details.opened")) {
    fold.classList.remove("opened");
    fold.open = false;
  }
  for (const { area } of pictures) {
    area.classList.remove("printing");
    area.querySelectorAll(".paper").forEach((paper) => paper.remove());
  }
});
