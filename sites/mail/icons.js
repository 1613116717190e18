// The icons, drawn on a grid of 16. An icon is decoration: the button around it carries the name.

const PATHS = {
  archive: '<rect x="2" y="2.500" width="12" height="3.500" rx="1"/><path d="M3 6v6.500a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V6M6.500 9h3"/>',
  bold: '<path d="M4.500 2.500h4a2.600 2.600 0 0 1 0 5.200h-4zM4.500 7.700h4.800a2.900 2.900 0 0 1 0 5.800H4.500z" stroke-width="1.900"/>',
  bullets: '<circle cx="2.800" cy="4" r=".9" fill="currentColor"/><circle cx="2.800" cy="8" r=".9" fill="currentColor"/><circle cx="2.800" cy="12" r=".9" fill="currentColor"/><path d="M6.500 4H14M6.500 8H14M6.500 12H14"/>',
  clip: '<path d="M13.500 7.300l-5.700 5.600a3.300 3.300 0 0 1-4.700-4.700l6-5.900a2.200 2.200 0 0 1 3.100 3.100L6.300 11.300a1.100 1.100 0 0 1-1.600-1.500l5-5"/>',
  clock: '<circle cx="8" cy="8" r="6"/><path d="M8 4.500V8l2.500 1.500"/>',
  close: '<path d="M3.500 3.500l9 9M12.500 3.500l-9 9"/>',
  closed: '<rect x="1.800" y="3.300" width="12.400" height="9.400" rx="1.200"/><path d="M2 4.500l6 4.300 6-4.300"/>',
  draft: '<path d="M9 1.800H4a1 1 0 0 0-1 1v10.400a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V5.800zM9 1.800v4h4"/>',
  forward: '<path d="M9.500 3.500L14 8l-4.500 4.500V9.800C6 9.600 3.800 10.500 2 13c.3-4.300 2.700-6.700 7.500-7z"/>',
  important: '<path d="M2.500 3.500h8L14 8l-3.500 4.500h-8L5.700 8z"/>',
  inbox: '<path d="M2 9l2-6h8l2 6v4H2zM2 9h3.500c.3 1.500 1.200 2.200 2.500 2.200s2.200-.7 2.500-2.200H14"/>',
  italic: '<path d="M6.500 2.500h5M4.500 13.500h5M9.300 2.500l-2.600 11"/>',
  left: '<path d="M10 3L5 8l5 5"/>',
  numbers: '<path d="M6.500 4H14M6.500 8H14M6.500 12H14M2.200 3l1-.6v3.200M2 10.700c1.800-1 2.300.5 1 1.500l-1 1h2"/>',
  opened: '<path d="M1.800 6.500L8 2.300l6.200 4.200v6.200H1.800zM2 7l6 3.800L14 7"/>',
  pen: '<path d="M10.800 2.800l2.400 2.400-7.600 7.600-3 .6.600-3zM9.300 4.300l2.400 2.400"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  refresh: '<path d="M13.500 8a5.500 5.500 0 1 1-1.700-4M13.500 1.800v3h-3"/>',
  reply: '<path d="M6.500 3.500L2 8l4.500 4.500V9.800c3.500-.2 5.700.7 7.500 3.200-.3-4.300-2.700-6.700-7.500-7z"/>',
  right: '<path d="M6 3l5 5-5 5"/>',
  search: '<circle cx="7" cy="7" r="4.500"/><path d="M10.500 10.500L14 14"/>',
  send: '<path d="M2 8l12-5.500-4 11.500-2.700-4.300zM7.300 9.700L14 2.500"/>',
  spam: '<path d="M5.200 1.800h5.600l3.400 3.400v5.600l-3.400 3.400H5.200l-3.400-3.400V5.200zM8 4.800v4M8 11v.4"/>',
  star: '<path d="M8 1.800l1.900 4 4.400.5-3.200 3 .9 4.300L8 11.500l-4 2.100.9-4.300-3.200-3 4.400-.5z"/>',
  tag: '<path d="M2 2.500h5.500L14 9l-5 5-6.500-6.500zM5 5.300v.2"/>',
  trash: '<path d="M2.500 4h11M6 4V2.300h4V4M4 4l.6 9.700h6.800L12 4M6.700 6.700v4.300M9.300 6.700v4.300"/>',
};

/** The icon as an SVG element; a filled one for marks that are set. */
export function icon(name, isFilled = false) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = {
    class: "icon",
    viewBox: "0 0 16 16",
    fill: isFilled ? "currentColor" : "none",
    stroke: "currentColor",
    "stroke-width": "1.3",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  };
  for (const [attribute, value] of Object.entries(attributes)) {
    svg.setAttribute(attribute, value);
  }
  svg.innerHTML = PATHS[name];
  return svg;
}

/** Puts icons into the places the page marks with data-icon. */
export function fillIcons() {
  for (const place of document.querySelectorAll("[data-icon]")) {
    place.append(icon(place.dataset.icon));
  }
}
