// Plots: histories with uPlot, paths (loops) and everything with a logarithmic axis as SVG. The same SVG serves paper
// and saving. Values on a logarithmic axis are powers of ten from here on.

function prepare(plot) {
  const power = (v) => (v !== null && v > 0 ? Math.log10(v) : null);
  plot.traces.forEach((trace, i) => {
    trace.x = trace.x ? decode(trace.x) : plot.traces[i - 1].x;
    trace.y = decode(trace.y);
  });
  for (const trace of plot.traces) {
    if (plot.x.log) trace.x = trace.x.map(power);
    if (plot.y.log) trace.y = trace.y.map(power);
  }
  for (const mark of plot.marks) if ((mark.upright ? plot.x : plot.y).log) mark.at = power(mark.at);
}

// Dashed lines across a plot and where their names stand: upright ones at the top, lying ones at the right. Names that
// would stand on each other are left out.
function marked(plot, view, box, sx, sy) {
  const shown = plot.marks.filter(({ upright, at }) => at !== null && at >= (upright ? view.x : view.y)[0] && at <= (upright ? view.x : view.y)[1]);
  const taken = [];
  return shown.map(({ upright, at, name }) => {
    const [x, y] = upright ? [sx(at), box.top + 13] : [box.right - 4, sy(at) - 4];
    const [left, right] = upright ? [x + 3, x + 3 + wide(name)] : [x - wide(name), x];
    const free = right <= box.right && y - 11 >= box.top && taken.every((other) => right < other.left || left > other.right || Math.abs(y - other.y) > 12);
    if (free) taken.push({ left, right, y });
    return { line: upright ? [x, box.top, x, box.bottom] : [box.left, sy(at), box.right, sy(at)], name: free ? name : "", left, y };
  });
}

const said = (axis, value, [low, high]) => `${axis.log ? figure(10 ** value) : precise(value, high - low)} ${axis.unit}`.trim();

// The range of all traces that are shown, with a margin.
function extent(plot) {
  const shown = plot.traces.filter((t) => !t.hidden);
  const range = (key, margin) => {
    let [low, high] = [Infinity, -Infinity];
    for (const trace of shown) for (const v of trace[key]) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!(low <= high)) [low, high] = [0, 1];
    const pad = high > low ? margin * (high - low) : plot[key].log ? 0.5 : Math.abs(high) || 1;
    return [low - pad, high + pad];
  };
  return { x: range("x", plot.shape === "history" ? 0 : 0.04), y: range("y", 0.06) };
}

// Names of the lines with their places, in rows of at most `w`; one line needs no name.
function legend(plot, w) {
  const named = plot.traces.filter((trace) => !trace.hidden);
  let [x, y] = [64, 14];
  return named.length < 2 ? [] : named.map((trace) => {
    const name = fitted(trace.name, w - 100);
    const room = 36 + wide(name);
    if (x > 64 && x + room > w) [x, y] = [64, y + 16];
    const place = { x, y, name, trace };
    x += room;
    return place;
  });
}

// A short piece of a trace, from `x` to the right.
function sample(trace, x, y) {
  const pen = PENS[trace.pen];
  const line = pen.width ? `<path d="M${x} ${y}h18" stroke="${colour(trace)}" stroke-width="${pen.width}"/>` : "";
  return line + (pen.points ? `<circle cx="${x + 9}" cy="${y}" r="${pen.points}" fill="${pen.width ? colour(trace) : "#fff"}" stroke="${colour(trace)}" stroke-width="1.5"/>` : "");
}

function drawTrace(trace, sx, sy) {
  const pen = PENS[trace.pen];
  const out = [];
  let [path, move] = ["", "M"];
  for (let k = 0; k < trace.x.length; k++) {
    if (trace.x[k] === null || trace.y[k] === null) { move = "M"; continue; }
    const [x, y] = [sx(trace.x[k]).toFixed(1), sy(trace.y[k]).toFixed(1)];
    if (pen.width) path += `${move}${x} ${y}`;
    if (pen.points) out.push(`<circle class="trace" cx="${x}" cy="${y}" r="${pen.points}" fill="${pen.width ? colour(trace) : "#fff"}" stroke="${colour(trace)}" stroke-width="1.5"/>`);
    move = "L";
  }
  if (path) out.unshift(`<path class="trace" d="${path}" fill="none" stroke="${colour(trace)}" stroke-width="${pen.width}" stroke-linecap="round"/>`);
  return out.join("");
}

// A picture of its own, `w` by `h`, of the part `view` of a plot; on paper the lines are named in it.
function picture(plot, view, w, h, id, alone) {
  const names = alone ? legend(plot, w) : [];
  const box = { left: 64, right: w - 14, top: names.length ? names[names.length - 1].y + 10 : 8, bottom: h - 44 };
  const sx = (v) => box.left + ((v - view.x[0]) / (view.x[1] - view.x[0])) * (box.right - box.left);
  const sy = (v) => box.bottom - ((v - view.y[0]) / (view.y[1] - view.y[0])) * (box.bottom - box.top);
  const grid = (mark) => (mark.zero ? "#999" : mark.minor ? "#f3f3f3" : "#e4e4e4");
  const out = [`<clipPath id="${id}"><rect x="${box.left}" y="${box.top}" width="${box.right - box.left}" height="${box.bottom - box.top}"/></clipPath>`];
  for (const { x, y, name, trace } of names) out.push(sample(trace, x, y - 4), words(name, x + 22, y));
  for (const mark of axisTicks(plot.x, view.x, Math.max(3, w / 110), box.right - box.left)) {
    const x = sx(mark.at);
    out.push(`<path d="M${x.toFixed(1)} ${box.top}V${box.bottom}" stroke="${grid(mark)}"/>`, words(mark.text, x, box.bottom + 16, Infinity, 'text-anchor="middle"'));
  }
  for (const mark of axisTicks(plot.y, view.y, Math.max(3, (box.bottom - box.top) / 52))) {
    const y = sy(mark.at);
    out.push(`<path d="M${box.left} ${y.toFixed(1)}H${box.right}" stroke="${grid(mark)}"/>`, words(mark.text, box.left - 6, y + 4, Infinity, 'text-anchor="end"'));
  }
  const middle = (box.top + box.bottom) / 2;
  out.push(words(label(plot.x), (box.left + box.right) / 2, h - 8, box.right - box.left, 'text-anchor="middle"'),
    words(label(plot.y), 13, middle, box.bottom - box.top + 30, `text-anchor="middle" transform="rotate(-90 13 ${middle})"`),
    `<g clip-path="url(#${id})" stroke-linejoin="round">`, ...plot.traces.filter((trace) => !trace.hidden).map((trace) => drawTrace(trace, sx, sy)),
    ...marked(plot, view, box, sx, sy).flatMap(({ line: [x1, y1, x2, y2], name, left, y }) =>
      [`<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}" stroke="${MARK}" stroke-dasharray="5 4"/>`, name && words(name, left, y, Infinity, `stroke="#fff" stroke-width="3" paint-order="stroke"`)]),
    `</g><path d="M${box.left} ${box.top}H${box.right}V${box.bottom}H${box.left}Z" fill="none" stroke="#777"/>`);
  return { text: frame(plot.title, w, h, out.join("")), box };
}

// Zooms a range about its middle.
const scaled = ([low, high], factor) => {
  const [middle, half] = [(low + high) / 2, (factor * (high - low)) / 2];
  return [middle - half, middle + half];
};

const isHistory = (plot) => plot.shape === "history" && !plot.x.log && !plot.y.log;
const sheet = (plot) => (plot.shape === "history" ? [1000, plot.low ? 260 : 360] : [900, plot.low ? 420 : 700]);
const onPaper = (plot) => (plot.shape === "history" ? [680, plot.low ? 150 : 200] : [680, plot.low ? 280 : 400]);

// The buttons below a plot; `state` knows how to read, set and reset the view.
function tools(plot, state, both) {
  const zoom = (factor) => () => {
    const view = state.view();
    state.set({ x: scaled(view.x, factor), y: both ? scaled(view.y, factor) : view.y });
  };
  return element("div", "tools", [button("+", "zoom in", zoom(0.5)), button("−", "zoom out", zoom(2)), button("all", "show everything", state.reset),
    ...savers(plot.title, () => picture(plot, state.view(), ...sheet(plot), "saved", true).text)]);
}

// Buttons that show what a trace looks like and hide it.
const toggles = (plot, draw) => plot.traces.map((trace) => {
  const key = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ width: 18, height: 10, viewBox: "0 0 18 10" })) key.setAttribute(name, value);
  key.innerHTML = sample(trace, 0, 5);
  const toggle = button(key, "show or hide", () => { trace.hidden = !trace.hidden; toggle.classList.toggle("off"); draw(); });
  toggle.append(trace.name);
  return toggle;
});

function drawPath(plot, area, id) {
  const holder = element("div", "screen");
  const read = element("div", "read", ["drag to zoom in, double-click to see all"]);
  let view = extent(plot);
  let shown = null;
  const width = () => Math.max(280, Math.min(area.clientWidth, 900));
  const draw = () => {
    const w = width();
    shown = picture(plot, view, w, Math.round(Math.min((plot.low ? 0.5 : 0.78) * w, plot.low ? 400 : 640)), `clip-${id}`);
    holder.style.maxWidth = `${w}px`;
    holder.innerHTML = shown.text;
  };
  const state = { view: () => view, set: (v) => { view = v; draw(); }, reset: () => { view = extent(plot); draw(); } };
  const bar = tools(plot, state, true);
  if (plot.traces.length > 1) bar.append(...toggles(plot, draw));
  // Where the pointer is, in the picture and in the units of the axes.
  const at = (event) => {
    const rect = holder.getBoundingClientRect();
    const scale = width() / rect.width;
    const [px, py] = [(event.clientX - rect.left) * scale, (event.clientY - rect.top) * scale];
    const { left, right, top, bottom } = shown.box;
    const share = { x: (px - left) / (right - left), y: (bottom - py) / (bottom - top) };
    const value = (key) => view[key][0] + share[key] * (view[key][1] - view[key][0]);
    return { px, py, x: value("x"), y: value("y") };
  };
  let from = null;
  holder.onpointerdown = (event) => { if (event.pointerType !== "touch") { from = at(event); event.preventDefault(); } };
  holder.onpointermove = (event) => {
    const here = at(event);
    read.textContent = nearest(plot, view, here);
    if (!from) return;
    let chosen = holder.querySelector(".frame");
    if (!chosen) {
      chosen = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [key, value] of Object.entries({ class: "frame", fill: "#0b5394", "fill-opacity": 0.12 })) chosen.setAttribute(key, value);
      holder.firstChild.append(chosen);
    }
    const [w, h] = [Math.abs(here.px - from.px), Math.abs(here.py - from.py)];
    for (const [key, value] of Object.entries({ x: Math.min(here.px, from.px), y: Math.min(here.py, from.py), width: w, height: h })) chosen.setAttribute(key, value);
  };
  addEventListener("pointerup", (event) => {
    if (!from) return;
    const [a, b] = [from, at(event)];
    from = null;
    holder.querySelector(".frame")?.remove();
    if (Math.abs(a.px - b.px) < 6 || Math.abs(a.py - b.py) < 6) return;
    state.set({ x: [Math.min(a.x, b.x), Math.max(a.x, b.x)], y: [Math.min(a.y, b.y), Math.max(a.y, b.y)] });
  });
  holder.ondblclick = state.reset;
  area.append(holder, read, bar);
  draw();
  return { state, draw };
}

// The sample next to the pointer, in words.
function nearest(plot, view, here) {
  const [ux, uy] = [view.x[1] - view.x[0], view.y[1] - view.y[0]];
  let [best, text] = [Infinity, ""];
  for (const trace of plot.traces) {
    if (trace.hidden) continue;
    for (let k = 0; k < trace.x.length; k++) {
      if (trace.x[k] === null || trace.y[k] === null) continue;
      const distance = ((trace.x[k] - here.x) / ux) ** 2 + ((trace.y[k] - here.y) / uy) ** 2;
      if (distance < best) { best = distance; text = `${trace.name}: ${said(plot.x, trace.x[k], view.x)}, ${said(plot.y, trace.y[k], view.y)}`; }
    }
  }
  return text;
}

// The marks of a plot on the canvas of uPlot, whose pixels are finer than those of the page on some screens.
function drawMarks(plot, u) {
  const fine = u.bbox.width / u.over.clientWidth || 1;
  const box = { left: u.bbox.left / fine, top: u.bbox.top / fine, right: (u.bbox.left + u.bbox.width) / fine, bottom: (u.bbox.top + u.bbox.height) / fine };
  const place = (key) => (v) => u.valToPos(v, key, true) / fine;
  const range = (key) => [u.scales[key].min, u.scales[key].max];
  const { ctx } = u;
  ctx.save();
  ctx.scale(fine, fine);
  ctx.font = "12px system-ui, Roboto, Arial, sans-serif";
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  for (const { line: [x1, y1, x2, y2], name, left, y } of marked(plot, { x: range("x"), y: range("y") }, box, place("x"), place("y"))) {
    ctx.setLineDash([5, 4]);
    ctx.lineWidth = 1;
    ctx.strokeStyle = MARK;
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.lineWidth = 3;
    ctx.strokeStyle = "#fff";
    ctx.strokeText(name, left, y);
    ctx.fillStyle = INK;
    ctx.fillText(name, left, y);
  }
  ctx.restore();
}

function drawHistory(plot, area, follow) {
  const holder = element("div", "screen");
  area.append(holder);
  const font = "12px system-ui, Roboto, Arial, sans-serif";
  const axis = (text, extra) => ({ label: text, font, labelFont: font, labelSize: 18, grid: { stroke: "#e4e4e4", width: 1 }, stroke: INK, values: (_, all) => markTexts(all), ...extra });
  const size = () => ({ width: Math.max(280, area.clientWidth), height: (area.clientWidth < 600 ? 220 : 260) - (plot.low ? 70 : 0) });
  const series = (trace) => ({
    label: trace.name, stroke: colour(trace), width: PENS[trace.pen].width || 0, points: { show: !PENS[trace.pen].width }, value: (_, v) => figure(v),
  });
  const tables = plot.traces.map((trace) => [trace.x, trace.y]);
  const shared = plot.traces.every((trace) => trace.x === plot.traces[0].x);
  const data = shared ? [plot.traces[0].x, ...plot.traces.map((trace) => trace.y)] : uPlot.join(tables);
  let joined = false;
  const chart = new uPlot({
    ...size(),
    scales: { x: { time: false } },
    cursor: { sync: plot.group ? { key: plot.group, scales: ["x", null] } : undefined, drag: { x: true, y: false } },
    legend: { live: true },
    axes: [axis(label(plot.x), { size: 34, values: (_, all, __, space) => markTexts(all, space) }), axis(label(plot.y), { size: 58, space: plot.low ? 18 : 30 })],
    series: [{ label: plot.x.name, value: (u, v) => precise(v, u.scales.x.max - u.scales.x.min) }, ...plot.traces.map(series)],
    hooks: { draw: [(u) => drawMarks(plot, u)], setScale: [(u, key) => { if (key === "x" && joined) follow(plot, u.scales.x.min, u.scales.x.max); }] },
  }, data, holder);
  joined = true;
  const all = [data[0][0], data[0][data[0].length - 1]];
  const set = (low, high) => chart.setScale("x", { min: Math.max(low, all[0]), max: Math.min(high, all[1]) });
  const view = () => ({ x: [chart.scales.x.min, chart.scales.x.max], y: [chart.scales.y.min, chart.scales.y.max] });
  const state = { view, set: (v) => set(...v.x), reset: () => set(...all) };
  area.append(tools(plot, state, false));
  return { state, set, draw: () => chart.setSize(size()) };
}

function drawPlot(plot, area, id, follow) {
  prepare(plot);
  const drawn = isHistory(plot) ? drawHistory(plot, area, follow) : drawPath(plot, area, id);
  return { ...drawn, paper: () => picture(plot, drawn.state.view(), ...onPaper(plot), `paper-${id}`, true).text };
}
