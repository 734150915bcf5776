// Charts as SVG: lines, areas, bars and dots over two axes, each linear or logarithmic.

const CHART_HEIGHT = 230;
const EDGE = { left: 54, right: 12, top: 10, bottom: 38 };

/** The values of ticks from `min` to `max`: about `count` round ones, or powers of ten on a logarithmic axis. */
function ticksOf({ min, max, log, whole, ticks }, count) {
  if (ticks) return ticks;
  const list = [];
  if (log) {
    const step = Math.max(1, Math.ceil(Math.log10(max / min) / count));
    for (let power = Math.ceil(Math.log10(min) - 1e-9); 10 ** power <= max * (1 + 1e-9); power += step) list.push(10 ** power);
    return list;
  }
  const rough = (max - min) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= rough * 0.999);
  if (whole) step = Math.max(1, Math.round(step));
  for (let value = Math.ceil(min / step - 1e-9) * step; value <= max + step * 1e-9; value += step) list.push(Math.abs(value) < step / 1e6 ? 0 : value);
  return list;
}

/** The text of a tick: with M or k for millions and thousands. */
function tickText(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e3) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(6))).replace("-", "−");
}

/** The axis with a range: what it says itself, or that of the values. A range is never empty. */
function rangeOf(axis, values) {
  const finite = values.filter(value => Number.isFinite(value) && (!axis.log || value > 0));
  let min = axis.min ?? Math.min(...finite);
  let max = axis.max ?? Math.max(...finite);
  if (!finite.length && (axis.min === undefined || axis.max === undefined)) [min, max] = [1, 10];
  if (axis.log) return { ...axis, min: 10 ** Math.floor(Math.log10(min) + 1e-9), max: 10 ** Math.max(Math.ceil(Math.log10(max) - 1e-9), Math.floor(Math.log10(min) + 1e-9) + 1) };
  return min === max ? { ...axis, min: min - 1, max: max + 1 } : { ...axis, min, max };
}

/**
 * Draws a chart into `box`, as wide as the box. `chart` has `label` (the text alternative), the axes `x` and `y` (`label`,
 * `min`, `max`, `log`, `whole`, `format`), `series` (`name`, `kind`, `points` with `x`, `y`, `title` and `kind`), `rules`
 * (vertical lines, with `x` and `label`), `at` (the chosen x) and `choose` (called with the x of the nearest point).
 */
function drawChart(box, chart) {
  const points = chart.series.flatMap(series => series.points);
  const x = rangeOf(chart.x, points.map(point => point.x));
  const y = rangeOf(chart.y, points.map(point => point.y));
  const width = Math.max(box.clientWidth, 260);
  const [right, bottom] = [width - EDGE.right, CHART_HEIGHT - EDGE.bottom];
  const part = (axis, value) => {
    const [low, high, at] = [axis.min, axis.max, Math.min(Math.max(value, axis.min), axis.max)].map(axis.log ? Math.log : Number);
    return (at - low) / (high - low);
  };
  const placeX = value => EDGE.left + part(x, value) * (right - EDGE.left);
  const placeY = value => bottom - part(y, value) * (bottom - EDGE.top);
  const picture = svg("svg", { class: "chart", width, height: CHART_HEIGHT, viewBox: `0 0 ${width} ${CHART_HEIGHT}`, role: "img", "aria-label": chart.label });
  for (const value of ticksOf(y, 4)) {
    const at = placeY(value);
    picture.append(svg("line", { class: "grid", x1: EDGE.left, x2: right, y1: at, y2: at }));
    picture.append(svg("text", { class: "tick left", x: EDGE.left - 6, y: at + 4 }, (chart.y.format ?? tickText)(value)));
  }
  for (const value of ticksOf(x, width / 90)) {
    const at = placeX(value);
    picture.append(svg("line", { class: "grid", x1: at, x2: at, y1: EDGE.top, y2: bottom }));
    picture.append(svg("text", { class: "tick", x: at, y: bottom + 16 }, (chart.x.format ?? tickText)(value)));
  }
  picture.append(svg("text", { class: "axis", x: (EDGE.left + right) / 2, y: CHART_HEIGHT - 5 }, chart.x.label));
  picture.append(svg("text", { class: "axis", transform: `translate(12 ${(EDGE.top + bottom) / 2}) rotate(-90)` }, chart.y.label));
  for (const rule of chart.rules ?? []) {
    const at = placeX(rule.x);
    picture.append(svg("line", { class: "rule", x1: at, x2: at, y1: EDGE.top, y2: bottom }));
    picture.append(svg("text", { class: "tick right", x: at + 4, y: EDGE.top + 11 }, rule.label));
  }
  chart.series.forEach((series, number) => {
    const group = svg("g", { class: `series s${number % 4} ${series.kind}` });
    const drawn = series.points.filter(point => Number.isFinite(point.y));
    const line = drawn.map((point, index) => `${index ? "L" : "M"}${placeX(point.x).toFixed(1)} ${placeY(point.y).toFixed(1)}`).join("");
    if (series.kind === "area" && drawn.length) {
      group.append(svg("path", { class: "area", d: `${line}L${placeX(drawn.at(-1).x)} ${bottom}L${placeX(drawn[0].x)} ${bottom}Z` }));
    }
    if (series.kind !== "dots") group.append(svg("path", { class: "line", d: line }));
    for (const point of drawn) {
      const isBeyond = point.y > y.max || point.y < y.min;
      const [cx, cy] = [placeX(point.x), placeY(point.y)];
      const arrow = point.y > y.max ? `M${cx - 5} ${cy + 9}L${cx} ${cy}L${cx + 5} ${cy + 9}Z` : `M${cx - 5} ${cy - 9}L${cx} ${cy}L${cx + 5} ${cy - 9}Z`;
      const shape = isBeyond ? svg("path", { class: "dot", d: arrow }) : drawDot(number, cx, cy, point.kind);
      if (point.title) shape.append(svg("title", {}, point.title));
      if (series.kind !== "area" || point.kind) group.append(shape);
    }
    picture.append(group);
  });
  if (chart.at !== undefined) {
    const at = placeX(chart.at);
    picture.append(svg("line", { class: "cursor", x1: at, x2: at, y1: EDGE.top, y2: bottom }));
  }
  if (chart.choose) {
    const places = [...new Set(points.map(point => point.x))];
    const choose = event => {
      const at = (event.clientX - picture.getBoundingClientRect().left) * width / picture.getBoundingClientRect().width;
      chart.choose(places.reduce((best, value) => (Math.abs(placeX(value) - at) < Math.abs(placeX(best) - at) ? value : best)));
    };
    picture.classList.add("chooses");
    picture.addEventListener("pointerdown", choose);
    picture.addEventListener("pointermove", event => { if (event.buttons) choose(event); });
  }
  box.replaceChildren(picture, ...(chart.series.length > 1 ? [chartKey(chart)] : []));
}

/** A dot whose shape tells the series apart without colour: a disc, a square, a triangle or a diamond. */
function drawDot(number, x, y, kind) {
  const r = kind ? 5 : 3;
  const shapes = [
    `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
    `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`,
    `M${x} ${y - r}L${x + r} ${y + r}H${x - r}Z`,
    `M${x} ${y - r - 1}L${x + r + 1} ${y}L${x} ${y + r + 1}L${x - r - 1} ${y}Z`,
  ];
  return svg("path", { class: `dot ${kind ?? ""}`, d: shapes[number % 4] });
}

/** The names of the series with their dots. */
function chartKey(chart) {
  return html("p", { className: "key-line" }, ...chart.series.flatMap((series, number) => [
    svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, svg("g", { class: `series s${number % 4}` }, drawDot(number, 7, 7, "large"))),
    ` ${series.name}  `,
  ]));
}
