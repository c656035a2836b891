"use strict";
// Counts the plots that show a line, and how far anything sticks out of the page.
addEventListener("load", () => setTimeout(() => {
  // A line of uPlot: any pixel in its blue.
  const blue = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i + 2] - data[i] > 80) return true;
    return false;
  };
  const line = (svg) => [...svg.querySelectorAll("path.trace")].some((path) => path.getTotalLength() > 20);
  const figures = [...document.querySelectorAll("figure")];
  const drawn = figures.filter((figure) => {
    const [canvas, svg] = [figure.querySelector("canvas"), figure.querySelector("svg")];
    return canvas ? blue(canvas) : svg && line(svg);
  });
  const room = document.documentElement.clientWidth;
  const inside = (element) => element.closest(".scroll") && !element.matches(".scroll");
  let overflow = document.documentElement.scrollWidth - room;
  for (const element of document.body.querySelectorAll("*")) {
    if (!inside(element)) overflow = Math.max(overflow, Math.round(element.getBoundingClientRect().right - room));
  }
  parent.postMessage(`width=${innerWidth} plots=${figures.length} drawn=${drawn.length} overflow=${Math.max(0, overflow)}`, "*");
}, 300));
