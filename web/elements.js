/** Elements of a page. Text is always text, never markup. */

const SVG = "http://www.w3.org/2000/svg";

/** Returns a new element. Attributes that begin with `on` are listeners; null and false are left out. */
export function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Returns a new element of SVG. */
export function drawing(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Returns the element of the page with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Replaces the text of an element, if it differs: screen readers announce every change. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Returns true if the system asks for no motion. */
export function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
