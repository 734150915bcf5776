// What all pages share: their data, elements, tables, and actions of buttons and keys.

const byId = id => document.getElementById(id);

/** Writes a text of an element if it is another: a screen reader reads again what is written. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
const pageData = JSON.parse(byId("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

/** Creates an HTML element with properties and children. */
function html(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Creates an SVG element with attributes and children (elements or text). */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Creates a table that scrolls if it is wide. A cell is text or an element; columns of numbers are aligned right. */
function table(caption, header, rows) {
  const isNumber = header.map((_, column) => rows.every(row => typeof row[column] === "string" && /^([-+−#]?[\d.,]+ ?[%M]?|[-+−]?M\d+|[-–]?)$/.test(row[column])));
  const cells = (row, name) => row.map((cell, column) => html(name, { className: isNumber[column] ? "number" : "", ...(name === "th" && { scope: "col" }) }, cell));
  const body = html("tbody", {}, ...rows.map(row => html("tr", {}, ...cells(row, "td"))));
  const element = html("table", {}, html("caption", { textContent: caption }), html("thead", {}, html("tr", {}, ...cells(header, "th"))), body);
  return html("div", { className: "scrolls", tabIndex: 0 }, element);
}

/** A number with commas between its thousands. */
function grouped(number) {
  return number.toLocaleString("en-US");
}

/** Runs an action for each button with `data-go` and for the keys, except where the reader types, uses a control or scrolls a table. */
function bindActions(actions, keys) {
  for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => actions[button.dataset.go]());
  document.addEventListener("keydown", event => {
    const action = keys[event.key];
    const isTyping = event.target.matches("textarea, select, input[type=number], input[type=text], .scrolls") || (event.key === " " && event.target.matches("button, input, summary"));
    if (!action || isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[action]();
  });
}

/** Scrolls a box, not the page, until the element is in view. */
function scrollIntoBox(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  if (inner.left < outer.left || inner.right > outer.right) box.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}
