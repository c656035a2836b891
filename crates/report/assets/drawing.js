// What every picture is made with: colours, numbers, text that fits, saving.

// Told apart by people who do not see all colours, and dark enough for paper.
const COLOURS = ["#0b5394", "#c8501e", "#1b7f5c", "#8e3a80", "#8a6d00", "#1f8fb5", "#5d4037", "#4d4d4d"];
const PENS = {
  line: { width: 1.5 },
  dotted: { width: 1.5, points: 2.6 },
  measured: { width: 4.5, colour: "#9cc0e4" },
  model: { width: 1.4, colour: "#a3210f" },
  points: { points: 4 },
  faint: { width: 0.8, colour: "#b8b8b8" },
};
const INK = "#1a1a1a";
const MARK = "#8a8a8a";
const FONT = 'font-family="system-ui, Roboto, Arial, sans-serif" font-size="12" fill="#1a1a1a"';

// Little-endian single precision, as differences from an offset; what is missing is null.
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
const colour = (trace) => PENS[trace.pen].colour || COLOURS[trace.colour % COLOURS.length];

function figure(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? Number(value.toPrecision(4)).toExponential() : String(Number(value.toPrecision(5)));
}

// Round steps of 1, 2 or 5 times a power of ten; finer ones where fewer than three marks would stand.
function ticks(low, high, about) {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const steps = [10, 5, 2, 1, 0.5, 0.2].map((k) => k * power);
  const many = (step) => Math.floor(high / step) - Math.ceil(low / step) >= 2;
  const step = steps.find((s, i) => (i + 1 === steps.length || steps[i + 1] < raw) && many(s)) || steps[0];
  const out = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step && out.length < 100; k++) out.push(Number((k * step).toPrecision(12)));
  return out;
}

// A value with as many digits as it takes to tell it from others that lie a part of `range` away.
function precise(value, range) {
  if (value === null || value === undefined) return "–";
  const digits = Math.ceil(Math.log10(Math.abs(value) / range));
  return digits > 2 && digits < 12 ? String(Number(value.toPrecision(digits + 4))) : figure(value);
}

// Texts of marks that stand in a row, `space` apart; where they do not fit beside each other some are left out.
function markTexts(values, space = Infinity) {
  const texts = values.map((v) => precise(v, Math.abs(values[values.length - 1] - values[0]) || 1));
  const every = Math.ceil((Math.max(0, ...texts.map(wide)) + 10) / space) || 1;
  return texts.map((text, i) => (i % every ? "" : text));
}

// Marks of a logarithmic axis, whose ends are given as powers of ten: round values, in powers of ten.
function logTicks(low, high, about) {
  if (high - low < 0.7) return ticks(10 ** low, 10 ** high, about).filter((v) => v > 0).map((v) => ({ at: Math.log10(v), text: figure(v) }));
  const every = Math.max(1, Math.ceil((high - low) / (2 * about)));
  const named = high - low < 2.2 ? [1, 2, 5] : [1];
  const out = [];
  for (let decade = Math.floor(low); decade <= high; decade++) {
    for (let k = 1; k < 10; k++) {
      const at = decade + Math.log10(k);
      const text = named.includes(k) && decade % every === 0 ? figure(Number((k * 10 ** decade).toPrecision(3))) : "";
      if (at >= low - 1e-9 && at <= high + 1e-9 && (text || every === 1)) out.push({ at, text, minor: !text });
    }
  }
  return out;
}

// Marks of an axis; `room` is what they have beside each other.
function axisTicks(axis, range, about, room = Infinity) {
  if (axis.log) return logTicks(...range, about);
  const values = ticks(...range, about);
  const texts = markTexts(values, (room * (values[1] - values[0])) / (range[1] - range[0]) || Infinity);
  return values.map((at, i) => ({ at, text: texts[i], zero: at === 0 }));
}

// How wide a text is; a little more than measured, since a saved picture may meet another font.
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = "12px system-ui, Roboto, Arial, sans-serif";
const wide = (text) => 1.04 * ruler.measureText(text).width;

// The text, with its middle left out where there is no room for all of it.
function fitted(text, room) {
  if (wide(text) <= room) return text;
  for (let keep = text.length - 1; keep > 1; keep--) {
    const short = `${text.slice(0, Math.ceil(keep / 2))}…${text.slice(text.length - Math.floor(keep / 2))}`;
    if (wide(short) <= room) return short;
  }
  return "…";
}

// A text in a picture: at most `room` wide, the whole of it where the pointer rests.
function words(text, x, y, room = Infinity, more = "") {
  const short = fitted(text, room);
  const whole = short === text ? "" : `<title>${escape(text)}</title>`;
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more} ${FONT}>${whole}${escape(short)}</text>`;
}

const frame = (title, w, h, content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" role="img" aria-label="${escape(title)}"><rect width="${w}" height="${h}" fill="#fff"/>${content}</svg>`;

// Gives the reader a picture as a file.
function save(title, svg, png) {
  const [w, h] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/).slice(1).map(Number);
  const sized = svg.replace("<svg ", `<svg width="${w}" height="${h}" `);
  const name = title.replace(/[^\w.-]+/g, "-");
  const give = (url, ending) => Object.assign(document.createElement("a"), { href: url, download: name + ending }).click();
  const url = URL.createObjectURL(new Blob([sized], { type: "image/svg+xml" }));
  if (!png) { give(url, ".svg"); return; }
  const image = new Image();
  image.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * w, height: 2 * h });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * w, 2 * h);
    give(canvas.toDataURL("image/png"), ".png");
  };
  image.src = url;
}

function element(tag, className, content = []) {
  const made = Object.assign(document.createElement(tag), { className });
  made.append(...content);
  return made;
}

function button(content, title, action) {
  const made = Object.assign(document.createElement("button"), { type: "button", title, onclick: action });
  made.append(content);
  return made;
}

// The buttons that save what `svg` draws.
const savers = (title, svg) => [button("SVG", "save as SVG", () => save(title, svg(), false)), button("PNG", "save as PNG", () => save(title, svg(), true))];
