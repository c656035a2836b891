"use strict";
// Draws the plots of the page: histories with uPlot, paths (loops) as SVG. The same SVG code serves paper and saving.
(() => {
  const COLOURS = ["#0b5394", "#c0392b", "#2e7d32", "#7b3fa0", "#b26a00", "#00838f", "#5d4037", "#ad1457"];
  const FAINT = "#b8b8b8";
  const plots = JSON.parse(document.getElementById("plots").textContent);

  // Little-endian single precision, as differences from an offset; NaN is a missing value.
  function decode(column) {
    const bytes = Uint8Array.from(atob(column.data), (c) => c.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / 4 }, (_, i) => {
      const value = view.getFloat32(4 * i, true);
      return Number.isFinite(value) ? value + column.offset : null;
    });
  }

  const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const label = (axis) => (axis.unit ? `${axis.name} [${axis.unit}]` : axis.name);
  const colour = (trace, i) => (trace.faint ? FAINT : COLOURS[i % COLOURS.length]);

  function figure(value) {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3) : String(Number(value.toPrecision(5)));
  }

  // Round steps of 1, 2 or 5 times a power of ten.
  function ticks(low, high, about) {
    const raw = (high - low) / about;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw) || 10 * power;
    const out = [];
    for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) out.push(Number((k * step).toPrecision(12)));
    return out;
  }

  // The range of all traces that are shown, with a margin.
  function extent(plot) {
    const shown = plot.traces.filter((t) => !t.hidden);
    const range = (key, margin) => {
      let [low, high] = [Infinity, -Infinity];
      for (const trace of shown) for (const v of trace[key]) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
      if (!(low <= high)) [low, high] = [0, 1];
      const pad = high > low ? margin * (high - low) : Math.abs(high) || 1;
      return [low - pad, high + pad];
    };
    return { x: range("x", plot.shape === "history" ? 0 : 0.04), y: range("y", 0.06) };
  }

  // Names of the lines with their places, in rows of at most `w`; one line needs no name.
  function legend(plot, w) {
    const named = plot.traces.map((trace, i) => ({ trace, i })).filter(({ trace }) => !trace.hidden);
    let [x, y] = [64, 14];
    return named.length < 2 ? [] : named.map(({ trace, i }) => {
      const wide = 32 + 7 * trace.name.length;
      if (x > 64 && x + wide > w) [x, y] = [64, y + 16];
      const place = { x, y, name: trace.name, colour: colour(trace, i) };
      x += wide;
      return place;
    });
  }

  // A picture of its own, `w` by `h`, of the part `view` of a plot; on paper the lines are named in it.
  function picture(plot, view, w, h, id, alone) {
    const names = alone ? legend(plot, w) : [];
    const box = { left: 64, right: w - 12, top: names.length ? names[names.length - 1].y + 10 : 8, bottom: h - 44 };
    const sx = (v) => box.left + ((v - view.x[0]) / (view.x[1] - view.x[0])) * (box.right - box.left);
    const sy = (v) => box.bottom - ((v - view.y[0]) / (view.y[1] - view.y[0])) * (box.bottom - box.top);
    const font = 'font-family="system-ui, Roboto, Arial, sans-serif" font-size="12" fill="#1a1a1a"';
    const out = [`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" role="img" aria-label="${escape(plot.title)}">`,
      `<rect width="${w}" height="${h}" fill="#fff"/><clipPath id="${id}"><rect x="${box.left}" y="${box.top}" width="${box.right - box.left}" height="${box.bottom - box.top}"/></clipPath>`];
    for (const { x, y, name, colour } of names) out.push(`<path d="M${x} ${y - 4}h16" stroke="${colour}" stroke-width="2"/><text x="${x + 20}" y="${y}" ${font}>${escape(name)}</text>`);
    for (const v of ticks(...view.x, Math.max(3, w / 110))) {
      const x = sx(v).toFixed(1);
      out.push(`<path d="M${x} ${box.top}V${box.bottom}" stroke="${v === 0 ? "#999" : "#e4e4e4"}"/><text x="${x}" y="${box.bottom + 16}" text-anchor="middle" ${font}>${figure(v)}</text>`);
    }
    for (const v of ticks(...view.y, Math.max(4, h / 60))) {
      const y = sy(v).toFixed(1);
      out.push(`<path d="M${box.left} ${y}H${box.right}" stroke="${v === 0 ? "#999" : "#e4e4e4"}"/><text x="${box.left - 6}" y="${Number(y) + 4}" text-anchor="end" ${font}>${figure(v)}</text>`);
    }
    out.push(`<text x="${(box.left + box.right) / 2}" y="${h - 8}" text-anchor="middle" ${font}>${escape(label(plot.x))}</text>`,
      `<text transform="translate(13 ${(box.top + box.bottom) / 2}) rotate(-90)" text-anchor="middle" ${font}>${escape(label(plot.y))}</text><g clip-path="url(#${id})" fill="none" stroke-linejoin="round">`);
    plot.traces.forEach((trace, i) => {
      if (trace.hidden) return;
      let path = "";
      let pen = "M";
      for (let k = 0; k < trace.x.length; k++) {
        if (trace.x[k] === null || trace.y[k] === null) { pen = "M"; continue; }
        path += `${pen}${sx(trace.x[k]).toFixed(1)} ${sy(trace.y[k]).toFixed(1)}`;
        pen = "L";
      }
      out.push(`<path class="trace" d="${path}" stroke="${colour(trace, i)}" stroke-width="${trace.faint ? 0.8 : 1.5}"/>`);
    });
    out.push(`</g><path d="M${box.left} ${box.top}H${box.right}V${box.bottom}H${box.left}Z" fill="none" stroke="#777"/></svg>`);
    return { text: out.join(""), box };
  }

  function save(plot, view, png) {
    const [w, h] = plot.shape === "history" ? [1000, 360] : [900, 700];
    const svg = picture(plot, view, w, h, "saved", true).text.replace("<svg ", `<svg width="${w}" height="${h}" `);
    const name = plot.title.replace(/[^\w.-]+/g, "-");
    const give = (url, ending) => Object.assign(document.createElement("a"), { href: url, download: name + ending }).click();
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    if (!png) { give(url, ".svg"); return; }
    const image = new Image();
    image.onload = () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 2 * w, height: 2 * h });
      canvas.getContext("2d").drawImage(image, 0, 0, 2 * w, 2 * h);
      give(canvas.toDataURL("image/png"), ".png");
    };
    image.src = url;
  }

  function button(text, title, action) {
    const made = Object.assign(document.createElement("button"), { type: "button", title, onclick: action });
    made.append(text);
    return made;
  }

  // Zooms a range about its middle.
  const scaled = ([low, high], factor) => {
    const [middle, half] = [(low + high) / 2, (factor * (high - low)) / 2];
    return [middle - half, middle + half];
  };

  // The buttons below a plot; `state` knows how to read, set and reset the view.
  function tools(plot, state, both) {
    const bar = document.createElement("div");
    bar.className = "tools";
    const zoom = (factor) => () => {
      const view = state.view();
      state.set({ x: scaled(view.x, factor), y: both ? scaled(view.y, factor) : view.y });
    };
    bar.append(button("+", "zoom in", zoom(0.5)), button("−", "zoom out", zoom(2)), button("all", "show everything", state.reset),
      button("SVG", "save as SVG", () => save(plot, state.view(), false)), button("PNG", "save as PNG", () => save(plot, state.view(), true)));
    return bar;
  }

  function drawPath(plot, area, id) {
    const holder = Object.assign(document.createElement("div"), { className: "screen" });
    const read = Object.assign(document.createElement("div"), { className: "read" });
    read.textContent = "drag to zoom in, double-click to see all";
    let view = extent(plot);
    let shown = null;
    const width = () => Math.max(280, Math.min(area.clientWidth, 900));
    const draw = () => {
      const w = width();
      shown = picture(plot, view, w, Math.round(Math.min(0.78 * w, 640)), `clip-${id}`);
      holder.style.maxWidth = `${w}px`;
      holder.innerHTML = shown.text;
    };
    const state = { view: () => view, set: (v) => { view = v; draw(); }, reset: () => { view = extent(plot); draw(); } };
    const bar = tools(plot, state, true);
    if (plot.traces.length > 1) plot.traces.forEach((trace, i) => {
      const line = document.createElement("i");
      line.style.borderColor = colour(trace, i);
      const toggle = button(line, "show or hide", () => { trace.hidden = !trace.hidden; toggle.classList.toggle("off"); draw(); });
      toggle.append(trace.name);
      bar.append(toggle);
    });
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
      let frame = holder.querySelector(".frame");
      if (!frame) {
        frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        for (const [key, value] of Object.entries({ class: "frame", fill: "#0b5394", "fill-opacity": 0.12 })) frame.setAttribute(key, value);
        holder.firstChild.append(frame);
      }
      const [w, h] = [Math.abs(here.px - from.px), Math.abs(here.py - from.py)];
      for (const [key, value] of Object.entries({ x: Math.min(here.px, from.px), y: Math.min(here.py, from.py), width: w, height: h })) frame.setAttribute(key, value);
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
    let [best, words] = [Infinity, ""];
    for (const trace of plot.traces) {
      if (trace.hidden) continue;
      for (let k = 0; k < trace.x.length; k++) {
        if (trace.x[k] === null || trace.y[k] === null) continue;
        const distance = ((trace.x[k] - here.x) / ux) ** 2 + ((trace.y[k] - here.y) / uy) ** 2;
        if (distance < best) { best = distance; words = `${trace.name}: ${figure(trace.x[k])} ${plot.x.unit}, ${figure(trace.y[k])} ${plot.y.unit}`; }
      }
    }
    return words;
  }

  function drawHistory(plot, area) {
    const holder = Object.assign(document.createElement("div"), { className: "screen" });
    area.append(holder);
    const trace = plot.traces[0];
    const font = "12px system-ui, Roboto, Arial, sans-serif";
    const axis = (text, extra) => ({ label: text, font, labelFont: font, labelSize: 18, grid: { stroke: "#e4e4e4", width: 1 }, stroke: "#1a1a1a", values: (_, all) => all.map(figure), ...extra });
    const size = () => ({ width: Math.max(280, area.clientWidth), height: area.clientWidth < 600 ? 220 : 260 });
    let joined = false;
    const chart = new uPlot({
      ...size(),
      scales: { x: { time: false } },
      cursor: { sync: plot.group ? { key: plot.group, scales: ["x", null] } : undefined, drag: { x: true, y: false } },
      legend: { live: true },
      axes: [axis(label(plot.x), { size: 34 }), axis(label(plot.y), { size: 58 })],
      series: [{ label: plot.x.name, value: (_, v) => figure(v) }, { label: trace.name, stroke: COLOURS[0], width: 1.2, points: { show: false }, value: (_, v) => figure(v) }],
      hooks: { setScale: [(u, key) => { if (key === "x" && joined) follow(plot, u.scales.x.min, u.scales.x.max); }] },
    }, [trace.x, trace.y], holder);
    joined = true;
    const all = [trace.x[0], trace.x[trace.x.length - 1]];
    const set = (low, high) => chart.setScale("x", { min: Math.max(low, all[0]), max: Math.min(high, all[1]) });
    const view = () => ({ x: [chart.scales.x.min, chart.scales.x.max], y: [chart.scales.y.min, chart.scales.y.max] });
    const state = { view, set: (v) => set(...v.x), reset: () => set(...all) };
    area.append(tools(plot, state, false));
    return { state, set, chart, draw: () => chart.setSize(size()) };
  }

  // Plots of one group show the same stretch.
  let following = false;
  function follow(plot, low, high) {
    if (following || !plot.group) return;
    following = true;
    for (const other of plots) if (other !== plot && other.group === plot.group && other.drawn?.set) other.drawn.set(low, high);
    following = false;
  }

  plots.forEach((plot, i) => {
    for (const trace of plot.traces) { trace.x = decode(trace.x); trace.y = decode(trace.y); }
    const area = document.querySelector(`[data-plot="${i}"] .area`);
    plot.drawn = plot.shape === "history" ? drawHistory(plot, area) : drawPath(plot, area, i);
    plot.area = area;
  });

  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => plots.forEach((plot) => plot.drawn.draw()), 100);
  });

  // Paper gets lines, not pixels, as wide as the sheet.
  addEventListener("beforeprint", () => plots.forEach((plot, i) => {
    const paper = Object.assign(document.createElement("div"), { className: "paper" });
    const [w, h] = plot.shape === "history" ? [680, 190] : [680, 400];
    paper.innerHTML = picture(plot, plot.drawn.state.view(), w, h, `paper-${i}`, true).text;
    plot.area.prepend(paper);
    plot.area.classList.add("printing");
  }));
  addEventListener("afterprint", () => plots.forEach((plot) => {
    plot.area.classList.remove("printing");
    plot.area.querySelectorAll(".paper").forEach((paper) => paper.remove());
  }));
})();
