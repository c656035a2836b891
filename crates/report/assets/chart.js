// Pictures of named values: intervals, bars, a matrix in colours. Rows have the name on the left and the value on the
// right where there is room, else both above.

const FIRM = "#0b5394";
const LOOSE = "#c8501e";

// Where names, values and what is drawn between them go.
function rowsLayout(rows, w, top) {
  const widest = (key) => Math.max(0, ...rows.map((row) => wide(row[key])));
  // One name that is longer than all others does not take the room of what is drawn.
  const [name, text] = [Math.min(widest("name") + 14, Math.max(170, 0.34 * w)), widest("text") + 12];
  const stacked = name + text + 150 > w;
  const [left, right] = stacked ? [12, w - 14] : [name, w - text];
  const high = stacked ? 40 : 24;
  return { rows, stacked, left, right, high, top, bottom: top + rows.length * high, y: (i) => top + i * high + (stacked ? 28 : 12) };
}

// Name and value of one row.
function rowWords(row, i, place, w) {
  const y = place.stacked ? place.top + i * place.high + 14 : place.y(i) + 4;
  const room = place.stacked ? w - wide(row.text) - 16 : place.left - 10;
  return words(row.name, 2, y, room) + words(row.text, w - 2, y, Infinity, 'text-anchor="end"');
}

// Marks of an axis below the rows and lines through them; `at` gives the place of a mark.
function rowsAxis(marks, at, place, text, w) {
  const out = marks.map((mark) => {
    const x = at(mark.value);
    const half = wide(mark.text) / 2;
    // Names stand above what is drawn where there is little room; no line goes through them.
    const line = place.stacked ? place.rows.map((_, i) => `M${x.toFixed(1)} ${place.y(i) - 9}v20`).join("") : `M${x.toFixed(1)} ${place.top}V${place.bottom}`;
    return `<path d="${line}" stroke="${mark.middle ? "#777" : "#e4e4e4"}"/>`
      + words(mark.text, Math.min(Math.max(x, half), w - half), place.bottom + 15, Infinity, 'text-anchor="middle"');
  });
  return out.join("") + words(text, (place.left + place.right) / 2 < w / 2 ? w / 2 : (place.left + place.right) / 2, place.bottom + 32, w - 8, 'text-anchor="middle"');
}

// Beyond what the axis shows.
const arrow = (x, y, way, stroke) => `<path d="M${x} ${y - 5}l${6 * way} 5l${-6 * way} 5" fill="none" stroke="${stroke}" stroke-width="1.6"/>`;

function intervals(chart, w) {
  const ends = chart.rows.flatMap((row) => row.ratio || []);
  const share = Math.max(1e-6, ...ends.map((r) => Math.abs(r - 1)));
  const byFactor = share > 0.9;
  const loose = chart.rows.some((row) => !row.firm);
  const place = rowsLayout(chart.rows, w, loose ? 24 : 6);
  const factor = Math.min(10, Math.max(2, ...ends.filter((r) => r > 0).map((r) => Math.max(r, 1 / r))));
  const reach = byFactor ? 1.05 * Math.log10(factor) : 1.08 * share;
  const value = (r) => (byFactor ? (r > 0 ? Math.log10(r) : -Infinity) : r - 1);
  const at = (v) => place.left + ((v + reach) / (2 * reach)) * (place.right - place.left);
  const room = place.right - place.left;
  const factors = room > 300 ? [0.1, 0.2, 0.5, 1, 2, 5, 10] : [0.1, 1, 10];
  const marks = byFactor
    ? (factor < 5 ? [0.5, 1, 2] : factors).map((r) => ({ value: Math.log10(r), text: `× ${r}`, middle: r === 1 })).filter((m) => Math.abs(m.value) <= reach)
    : ticks(-reach, reach, Math.max(3, Math.min(8, room / 62))).map((v) => ({ value: v, text: `${v > 0 ? "+" : ""}${figure(Number((100 * v).toPrecision(6)))} %`, middle: v === 0 }));
  const out = [rowsAxis(marks, at, place, chart.axis, w)];
  if (loose) out.push(`<circle cx="8" cy="10" r="4" fill="${FIRM}"/>`, words("determined", 18, 14), `<circle cx="110" cy="10" r="4" fill="#fff" stroke="${LOOSE}" stroke-width="2"/>`, words("not well determined", 120, 14, w - 124));
  chart.rows.forEach((row, i) => {
    const y = place.y(i);
    const stroke = row.firm ? FIRM : LOOSE;
    out.push(`<g data-say="${escape(`${row.name}: ${row.text}`)}">`, rowWords(row, i, place, w));
    if (row.ratio) {
      const [low, high] = row.ratio.map(value);
      const [a, b] = [at(Math.max(low, -reach)), at(Math.min(high, reach))];
      out.push(`<path class="trace" d="M${a.toFixed(1)} ${y}H${b.toFixed(1)}" stroke="${stroke}" stroke-width="2"${row.firm ? "" : ' stroke-dasharray="5 3"'}/>`);
      out.push(low < -reach ? arrow(a, y, -1, stroke) : `<path d="M${a.toFixed(1)} ${y - 5}v10" stroke="${stroke}" stroke-width="2"/>`);
      out.push(high > reach ? arrow(b, y, 1, stroke) : `<path d="M${b.toFixed(1)} ${y - 5}v10" stroke="${stroke}" stroke-width="2"/>`);
      out.push(`<circle cx="${at(0).toFixed(1)}" cy="${y}" r="4" fill="${row.firm ? stroke : "#fff"}" stroke="${stroke}" stroke-width="2"/>`);
    }
    out.push("</g>");
  });
  return frame(chart.title, w, place.bottom + 40, out.join(""));
}

// Powers of ten between two values, at most so many.
function decades(low, high, many) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first) / many));
  const out = [];
  for (let k = first; k <= last; k += step) out.push(Number(`1e${k}`));
  return out;
}

function bars(chart, w, id) {
  const marked = chart.rows.some((row) => row.marked);
  const place = rowsLayout(chart.rows, w, marked ? 26 : 6);
  const top = Math.max(0, ...chart.rows.map((row) => (Number.isFinite(row.value) ? row.value : 0))) || 1;
  const many = Math.max(2, Math.min(8, (place.right - place.left) / 70));
  const low = chart.from;
  const share = low ? (v) => Math.max(0, Math.log10(v / low) / Math.log10((1.2 * top) / low)) : (v) => v / (1.04 * top);
  const at = (v) => place.left + share(v) * (place.right - place.left);
  const marks = (low ? decades(low, 1.2 * top, many) : ticks(0, 1.04 * top, many)).map((value) => ({ value, text: figure(value), middle: value === (low || 0) }));
  const fill = (row) => (row.marked ? `url(#hatch-${id})` : FIRM);
  const out = [`<pattern id="hatch-${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#fbe3d6"/><path d="M0 0V6" stroke="${LOOSE}" stroke-width="4"/></pattern>`,
    rowsAxis(marks, at, place, chart.axis, w)];
  if (marked) {
    let x = 2;
    chart.legend.forEach((text, k) => {
      out.push(`<rect x="${x}" y="4" width="16" height="10" fill="${fill({ marked: k === 1 })}" stroke="${k ? LOOSE : FIRM}"/>`, words(text, x + 22, 14, w / 2 - 30));
      x += 44 + Math.min(wide(text), w / 2 - 30);
    });
  }
  chart.rows.forEach((row, i) => {
    const endless = !Number.isFinite(row.value);
    const [y, end] = [place.y(i), endless ? place.right : at(Math.max(0, row.value))];
    out.push(`<g data-say="${escape(`${row.name}: ${row.text}`)}">`, rowWords(row, i, place, w),
      `<rect class="trace" x="${place.left.toFixed(1)}" y="${y - 7}" width="${Math.max(1, end - place.left).toFixed(1)}" height="14" fill="${fill(row)}" stroke="${row.marked ? LOOSE : FIRM}"/>`, endless ? arrow(end - 2, y, 1, "#fff") : "", "</g>");
  });
  return frame(chart.title, w, place.bottom + 40, out.join(""));
}

// White at zero, orange for plus, blue for minus; lighter and darker as well.
function shade(value) {
  const stops = value < 0 ? [[247, 247, 247], [146, 197, 222], [25, 84, 150]] : [[247, 247, 247], [253, 190, 120], [160, 66, 3]];
  const size = Math.min(1, Math.abs(value));
  const [from, to, part] = size < 0.5 ? [stops[0], stops[1], 2 * size] : [stops[1], stops[2], 2 * size - 1];
  return `rgb(${from.map((c, k) => Math.round(c + part * (to[k] - c))).join(",")})`;
}

function matrix(chart, w, id) {
  const n = chart.names.length;
  const digits = wide(String(n)) + 8;
  const left = Math.min(Math.max(0, ...chart.names.map(wide)) + digits + 10, 0.55 * w);
  const wideCell = Math.min(58, (w - left - 4) / n);
  const high = Math.min(30, Math.max(15, wideCell));
  const top = 20;
  const every = wideCell >= digits ? 1 : 5;
  const inside = wideCell >= 36;
  const out = [];
  chart.names.forEach((name, i) => {
    const y = top + (i + 0.5) * high + 4;
    out.push(words(String(i + 1), digits - 6, y, Infinity, 'text-anchor="end"'), words(name, digits, y, left - digits - 4));
    if ((i + 1) % every === 0 || i === 0) out.push(words(String(i + 1), left + (i + 0.5) * wideCell, 14, Infinity, 'text-anchor="middle"'));
    for (let j = 0; j < n; j++) {
      const value = chart.values[i * n + j];
      const [x, y0] = [left + j * wideCell, top + i * high];
      const known = Number.isFinite(value);
      const fill = i === j ? "#d0d0d0" : known ? shade(value) : "#fff";
      const text = i === j ? "" : `${name} and ${chart.names[j]}: ${known ? hundredths(value) : "not known"}`;
      const ink = Math.abs(value) > 0.72 ? "#fff" : INK;
      const [mx, my, arm] = [x + wideCell / 2, y0 + high / 2, Math.min(4, wideCell / 4)];
      out.push(`<rect class="trace" x="${x.toFixed(2)}" y="${y0.toFixed(2)}" width="${wideCell.toFixed(2)}" height="${high.toFixed(2)}" fill="${fill}" stroke="#fff" stroke-width="0.6"${text ? ` data-say="${escape(text)}"` : ""}/>`);
      if (i === j || !known) continue;
      if (inside) out.push(`<text x="${mx.toFixed(1)}" y="${(my + 4).toFixed(1)}" text-anchor="middle" pointer-events="none" font-family="system-ui, Roboto, Arial, sans-serif" font-size="12" style="fill:${ink}">${hundredths(value)}</text>`);
      else if (Math.abs(value) > 0.4 && wideCell > 7) out.push(`<path d="M${(mx - arm).toFixed(1)} ${my.toFixed(1)}h${(2 * arm).toFixed(1)}${value > 0 ? `M${mx.toFixed(1)} ${(my - arm).toFixed(1)}v${(2 * arm).toFixed(1)}` : ""}" stroke="${ink}" stroke-width="1.2" pointer-events="none"/>`);
    }
  });
  const bottom = top + n * high;
  const stops = [-1, -0.5, 0, 0.5, 1].map((v) => `<stop offset="${(v + 1) / 2}" stop-color="${shade(v)}"/>`).join("");
  const [barLeft, barWide] = [Math.min(left, w - 190), 180];
  out.push(`<linearGradient id="scale-${id}">${stops}</linearGradient><rect x="${barLeft}" y="${bottom + 10}" width="${barWide}" height="10" fill="url(#scale-${id})" stroke="#777" stroke-width="0.5"/>`);
  for (const v of [-1, 0, 1]) out.push(words(String(v), barLeft + ((v + 1) / 2) * barWide, bottom + 33, Infinity, 'text-anchor="middle"'));
  return frame(chart.title, Math.max(left + n * wideCell + 4, barLeft + barWide + 8), bottom + 38, out.join(""));
}

// Two decimals, without the sign of a zero.
const hundredths = (value) => value.toFixed(2).replace("-0.00", "0.00");

const CHARTS = { intervals, bars, matrix };

function drawChart(kind, chart, area, id) {
  const svg = (w, mark) => CHARTS[kind](chart, w, mark);
  const holder = element("div", "screen");
  const read = element("div", "read");
  const draw = () => {
    const w = Math.max(280, Math.min(area.clientWidth, 900));
    holder.innerHTML = svg(w, id);
    // A chart that needs less room than there is stays small.
    holder.style.maxWidth = `${holder.firstChild.viewBox.baseVal.width}px`;
  };
  holder.onpointermove = (event) => { read.textContent = event.target.closest("[data-say]")?.dataset.say || ""; };
  area.append(holder, ...(kind === "matrix" ? [read] : []), element("div", "tools", savers(chart.title, () => svg(900, "saved"))));
  draw();
  return { draw, paper: () => svg(680, `paper-${id}`).replace("<svg ", `<svg style="max-width: ${kind === "matrix" ? 560 : 680}px" `) };
}
