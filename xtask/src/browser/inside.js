"use strict";
// Counts the pictures that show something on the screen, on paper and in a file, how far anything sticks out of the
// page or of its picture, and what the page asked for.
(() => {
  // Files that the page would give to its reader. Their text is kept where they are made: reading them later takes time
  // that a browser with a made-up clock does not wait for.
  const texts = new Map();
  window.Blob = class extends Blob {
    constructor(parts, options) { super(parts, options); this.text = parts.join(""); }
  };
  const made = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => { const url = made(blob); texts.set(url, blob.text); return url; };
  const files = [];
  let given = () => {};
  HTMLAnchorElement.prototype.click = function () { files.push(this.href); given(); };

  // A line of uPlot: any pixel with a colour.
  const coloured = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 200 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) return true;
    }
    return false;
  };
  const shows = (svg) => svg && [...svg.querySelectorAll(".trace")].some((mark) => {
    const { width, height } = mark.getBBox();
    return mark.matches("circle, rect") ? width > 0 && height > 0 : mark.getTotalLength() > 10;
  });
  const figures = () => [...document.querySelectorAll("figure")];
  const wait = (time) => new Promise((done) => setTimeout(done, time));

  // Texts that leave their picture.
  const spilled = (where) => [...document.querySelectorAll(`${where} svg text`)].filter((text) => {
    const [own, all] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
    return own.width > 0 && (own.left < all.left - 1 || own.right > all.right + 1 || own.top < all.top - 1 || own.bottom > all.bottom + 1);
  });

  // How many pictures became good files of both kinds.
  async function saved() {
    const all = 2 * figures().length;
    const done = new Promise((done) => { given = () => { if (files.length >= all) done(); }; });
    for (const name of ["SVG", "PNG"]) {
      for (const figure of figures()) [...figure.querySelectorAll(".tools button")].find((b) => b.textContent === name)?.click();
    }
    await Promise.race([done, wait(10000)]);
    return files.filter((file) => {
      if (file.startsWith("data:image/png;base64,")) return file.length > 2000;
      const picture = new DOMParser().parseFromString(texts.get(file), "image/svg+xml");
      return !picture.querySelector("parsererror") && picture.querySelector(".trace") !== null;
    }).length;
  }

  addEventListener("load", async () => {
    await wait(200);
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    await wait(200);
    const drawn = figures().filter((figure) => {
      const canvas = figure.querySelector("canvas");
      return canvas ? coloured(canvas) : shows(figure.querySelector(".screen svg"));
    }).length;
    const room = document.documentElement.clientWidth;
    const inside = (element) => element.closest(".scroll") && !element.matches(".scroll");
    let overflow = document.documentElement.scrollWidth - room;
    for (const element of document.body.querySelectorAll("*")) {
      if (!inside(element)) overflow = Math.max(overflow, Math.round(element.getBoundingClientRect().right - room));
    }
    const spills = spilled(".screen").length;
    const kept = await saved();

    for (const fold of document.querySelectorAll("details")) fold.open = false;
    dispatchEvent(new Event("beforeprint"));
    const paper = document.querySelector("details:not([open])") ? 0 : figures().filter((figure) => shows(figure.querySelector(".paper svg"))).length;
    dispatchEvent(new Event("afterprint"));
    const tidy = document.querySelector(".paper, .printing, details[open]") ? 0 : 1;

    const requests = performance.getEntriesByType("resource").filter((entry) => !/^(data|blob):/.test(entry.name)).length;
    parent.postMessage(`width=${innerWidth} pictures=${figures().length} drawn=${drawn} paper=${paper} saved=${kept} overflow=${Math.max(0, overflow)} spilled=${spills} untidy=${1 - tidy} requests=${requests}`, "*");
  });
})();
