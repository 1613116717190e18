// The drawings of the products: simple shapes in the colour of the product, with light and shade
// laid over them, so that one drawing serves every colour.

const SHADE = 'fill="#000" fill-opacity=".16"';
const LIGHT = 'fill="#fff" fill-opacity=".28"';
const LINE = 'fill="none" stroke="#000" stroke-opacity=".28" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"';
const THICK = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"';

const SHAPES = {
  jacket: `<path fill="currentColor" d="M36 18l12 6 12-6 16 8 8 40-11 3-3-16v31H26V53l-3 16-11-3 8-40z"/><path ${SHADE} d="M48 24l12-6 16 8 8 40-11 3-3-16v31H48z"/><path ${LINE} d="M48 24v60M31 62h11v12H31zM54 62h11v12H54zM33 40h8M55 40h8"/><path ${LIGHT} d="M36 18l12 6 12-6-3 10-9-2-9 2z"/>`,
  vest: `<path fill="currentColor" d="M34 16l14 9 14-9 8 6 2 62H24l2-62z"/><path ${SHADE} d="M48 25l14-9 8 6 2 62H48z"/><path ${LINE} d="M48 25v59M26 38h44M25 52h46M25 66h46"/>`,
  jumper: `<path fill="currentColor" d="M36 20c4 6 20 6 24 0l16 8 8 38-11 4-4-18v30H27V52l-4 18-11-4 8-38z"/><path ${SHADE} d="M60 20l16 8 8 38-11 4-4-18v30H54z"/><path ${LINE} d="M36 20c4 8 20 8 24 0M28 76h40M33 44l5 5 5-5 5 5 5-5 5 5 5-5"/>`,
  hat: `<path fill="currentColor" d="M20 60c0-22 12-38 28-38s28 16 28 38z"/><rect fill="currentColor" x="16" y="58" width="64" height="18" rx="6"/><rect ${SHADE} x="16" y="58" width="64" height="18" rx="6"/><path ${LINE} d="M30 60c0-14 4-26 10-34M48 60V24M66 60c0-14-4-26-10-34M26 62v10M37 62v10M48 62v10M59 62v10M70 62v10"/>`,
  scarf: `<path fill="currentColor" d="M26 22c12 10 32 10 44 0l6 12c-16 14-40 14-56 0z"/><path fill="currentColor" d="M52 40l14-4 8 44H58z"/><path ${SHADE} d="M52 40l14-4 8 44H58z"/><path ${LINE} d="M57 66l15-2M56 58l14-2M60 80v6M65 80v6M70 80v6M24 30c14 11 34 11 48 0"/>`,
  gloves: `<path fill="currentColor" d="M22 82V52l-6-14c-2-5 5-8 8-3l4 8V22c0-5 7-5 7 0v16-20c0-5 7-5 7 0v30l-2 34z"/><path fill="currentColor" d="M74 82V52l6-14c2-5-5-8-8-3l-4 8V22c0-5-7-5-7 0v16-20c0-5-7-5-7 0v30l2 34z"/><path ${SHADE} d="M22 70h18v12H22zM56 70h18v12H56z"/><path ${LINE} d="M22 70h18M56 70h18"/>`,
  boot: `<path fill="currentColor" d="M30 14h26v34c4 8 24 8 26 24v6H28c-2-22 4-40 2-64z"/><path fill="#3a3026" d="M27 78h56v6H27z"/><path ${SHADE} d="M30 14h26v10H30zM62 58c10 4 18 8 20 14v6H62z"/><path ${LINE} d="M40 34h14M40 42h14M42 50h14M30 24h26"/>`,
  clog: `<path fill="currentColor" d="M14 62c0-20 24-26 34-18l8 8h20c6 0 8 6 8 12v8H16c-2-2-2-6-2-10z"/><path fill="#3a3026" d="M15 72h69v6H18c-2 0-3-3-3-6z"/><path ${SHADE} d="M56 52h20c6 0 8 6 8 12v8H56z"/><path ${LINE} d="M48 44c-2 8-2 16 0 28M24 54l3 3M30 50l3 3M24 62l3 3M32 58l3 3"/>`,
  trainer: `<path fill="currentColor" d="M14 40c6 4 12 2 16-4l24 20c8 4 26 2 28 14v4H14z"/><path fill="#f3ead8" d="M13 72h70v8H16c-2 0-3-4-3-8z"/><path ${SHADE} d="M54 56c8 4 26 2 28 14v4H60z"/><path ${LINE} d="M38 42l-6 6M44 47l-6 6M50 52l-6 6M14 58h18l12 14"/>`,
  backpack: `<path ${THICK} stroke-width="5" d="M38 22c0-10 20-10 20 0"/><rect fill="currentColor" x="24" y="20" width="48" height="64" rx="14"/><rect ${SHADE} x="24" y="54" width="48" height="30" rx="12"/><path ${LINE} d="M24 44h48M34 62h28v14H34zM40 44v10M56 44v10"/><rect ${LIGHT} x="24" y="20" width="48" height="12" rx="10"/>`,
  tote: `<path ${THICK} stroke-width="4" d="M34 40c0-28 28-28 28 0"/><path fill="currentColor" d="M20 38h56l4 46H16z"/><path ${SHADE} d="M17 70h62l1 14H16z"/><path ${LINE} d="M20 46h56M36 38v14M60 38v14"/>`,
  satchel: `<path ${THICK} stroke-width="3" d="M20 40c4-30 52-30 56 0"/><rect fill="currentColor" x="16" y="36" width="64" height="44" rx="6"/><path ${SHADE} d="M16 36h64v18c-14 10-50 10-64 0z"/><path ${LINE} d="M16 54c14 10 50 10 64 0M32 50v18M64 50v18"/><path ${LIGHT} d="M28 64h8v7h-8zM60 64h8v7h-8z"/>`,
  tent: `<path fill="currentColor" d="M48 20L12 80h72z"/><path ${SHADE} d="M48 20l36 60H58z"/><path fill="#2a2620" fill-opacity=".7" d="M48 38L36 80h22z"/><path ${LINE} d="M48 20v-6M12 80l-6 4M84 80l6 4M48 38l-6 42"/>`,
  lantern: `<path ${THICK} stroke-width="3" d="M34 26c0-18 28-18 28 0"/><path fill="currentColor" d="M32 26h32l4 10H28zM26 74h44v10H26z"/><path fill="#f8d985" d="M32 36h32l3 38H29z"/><path fill="#f3a93c" d="M48 46c8 9 6 20 0 20s-8-11 0-20z"/><path ${LINE} d="M32 36l-3 38M64 36l3 38M48 36v6"/>`,
  stove: `<path fill="currentColor" d="M24 44h48l-5 38H29z"/><path ${SHADE} d="M26 60h44l-3 22H29z"/><path fill="#e0852f" d="M40 42c-8-10 2-14 2-24 8 5 8 10 7 14 3-2 4-4 4-7 6 6 7 12 2 17z"/><path ${LINE} d="M24 44h48M34 70h6M45 70h6M56 70h6"/>`,
  blanket: `<rect fill="currentColor" x="16" y="28" width="64" height="46" rx="10"/><rect ${SHADE} x="16" y="52" width="64" height="22" rx="8"/><path ${LINE} d="M16 40h64M16 62h64M30 28v46M66 28v46"/><circle ${LIGHT} cx="16" cy="51" r="10"/><circle ${LINE} cx="16" cy="51" r="5"/>`,
  bottle: `<path fill="currentColor" d="M38 30h20l6 12v38c0 4-3 6-6 6H38c-3 0-6-2-6-6V42z"/><rect fill="#3a3026" x="40" y="12" width="16" height="14" rx="3"/><path ${SHADE} d="M52 30h6l6 12v38c0 4-3 6-6 6h-6z"/><path ${LINE} d="M32 56h32M32 70h32M38 30h20"/>`,
  chair: `<path ${THICK} stroke-width="4" stroke-opacity=".7" d="M24 24l42 60M70 50L28 84M22 50h50"/><path fill="currentColor" d="M20 20l10-4 16 34h28v8H38z"/><path ${SHADE} d="M46 50h28v8H42z"/>`,
  wateringcan: `<path ${THICK} stroke-width="4" d="M64 40c16-4 20 20 2 30M36 36c2-18 24-18 26 0"/><path fill="currentColor" d="M32 38h34v44H32zM32 66L14 40l-6 3-2-6 14-6 4 4 8 18z"/><path ${SHADE} d="M50 38h16v44H50z"/><path ${LINE} d="M32 46h34M32 74h34"/>`,
  trowel: `<path fill="currentColor" d="M34 50c0-4 28-4 28 0 0 20-6 30-14 38-8-8-14-18-14-38z"/><path ${SHADE} d="M48 47c8 0 14 1 14 3 0 20-6 30-14 38z"/><path stroke="#8b8f88" stroke-width="5" d="M48 34v16"/><rect fill="#a9824f" x="42" y="8" width="12" height="28" rx="6"/><path ${LINE} d="M42 60h6M42 67h6M44 74h4"/>`,
  pot: `<path fill="currentColor" d="M28 40h40l-6 44H34z"/><rect fill="currentColor" x="24" y="32" width="48" height="12" rx="3"/><path ${SHADE} d="M24 40h48v4H24zM52 44h16l-6 40H52z"/><path fill="#5f7350" d="M47 32c-2-14-14-14-16-20 10-2 16 4 17 10 1-8 8-14 17-12-1 8-12 10-15 22z"/>`,
  seeds: `<path fill="currentColor" d="M26 16h44v68H26z"/><path ${SHADE} d="M26 68h44v16H26z"/><path ${LIGHT} d="M32 26h32v30H32z"/><path fill="#5f7350" d="M46 54V42c-8 0-10-4-10-9 6 0 9 2 11 6 1-5 4-8 10-8 0 7-3 11-9 11v12z"/><path ${LINE} d="M26 22h44M34 74h28"/>`,
  shears: `<path fill="#9aa09a" d="M46 46L30 14c-6 8-4 18 2 28l12 12zM50 46l10-28c7 6 8 16 3 24l-9 12z"/><path ${THICK} stroke-width="7" d="M46 52c-8 8-14 18-14 32M50 52c8 8 16 16 18 30"/><circle fill="#3a3026" cx="48" cy="50" r="5"/>`,
  basket: `<path ${THICK} stroke-width="4" d="M26 46c0-36 44-36 44 0"/><path fill="currentColor" d="M14 46h68l-8 32c-1 3-3 4-6 4H28c-3 0-5-1-6-4z"/><path ${SHADE} d="M17 60h62l-5 18c-1 3-3 4-6 4H28c-3 0-5-1-6-4z"/><path ${LINE} d="M16 56h64M20 68h56M32 46l4 36M48 46v36M64 46l-4 36"/>`,
  frame: `<path fill="currentColor" d="M12 56l14-14h58v34H12z"/><path fill="#cfe0e0" d="M20 22l62 14-6 8H26z"/><path ${SHADE} d="M12 64h72v12H12z"/><path ${LINE} d="M40 27l2 16M62 32l-2 12M12 56h72M26 42v14M20 22l6 20"/>`,
  mug: `<path ${THICK} stroke-width="6" d="M64 40c16-2 16 26 0 26"/><path fill="currentColor" d="M22 28h44v44c0 8-6 10-10 10H32c-6 0-10-4-10-10z"/><path ${SHADE} d="M52 28h14v44c0 8-6 10-10 10h-8c4-14 4-36 4-54z"/><rect fill="#3a3026" x="20" y="26" width="48" height="4" rx="2"/><path ${LIGHT} d="M28 38h4v30h-4z"/>`,
  kettle: `<path ${THICK} stroke-width="5" d="M32 36c0-28 34-28 34 0"/><path fill="currentColor" d="M26 80c-8-6-8-36 10-44h26c18 8 18 38 10 44z"/><path fill="currentColor" d="M72 62l16-18-6-4-16 10z"/><path ${SHADE} d="M22 68h54c0 6-1 10-4 12H26c-3-2-4-6-4-12z"/><circle fill="#3a3026" cx="49" cy="33" r="4"/><path ${LINE} d="M36 38h26"/>`,
  board: `<rect fill="currentColor" x="18" y="30" width="60" height="50" rx="8"/><rect fill="currentColor" x="42" y="12" width="12" height="24" rx="6"/><path ${SHADE} d="M18 66h60v6c0 5-3 8-8 8H26c-5 0-8-3-8-8z"/><circle fill="#f6f2e8" cx="48" cy="19" r="2.500"/><path ${LINE} d="M28 42c12-3 24 3 40 0M28 52c14-3 26 3 40 0M28 60c10-2 20 2 34 0"/>`,
  pan: `<rect fill="#3a3026" x="58" y="44" width="34" height="8" rx="4"/><circle fill="currentColor" cx="38" cy="48" r="30"/><circle ${SHADE} cx="38" cy="48" r="23"/><path ${LINE} d="M24 40c4-8 10-10 16-10"/>`,
  bowl: `<path fill="currentColor" d="M10 40h76c0 26-16 40-26 42H36C26 80 10 66 10 40z"/><path ${SHADE} d="M14 58h68c-4 14-14 22-22 24H36c-8-2-18-10-22-24z"/><ellipse fill="#f3ead8" cx="48" cy="40" rx="38" ry="8"/><path ${LINE} d="M16 50h64"/>`,
  apron: `<path ${THICK} stroke-width="3" d="M36 22c0-14 24-14 24 0M26 48H12M70 48h14"/><path fill="currentColor" d="M36 22h24l4 20 8 6v38H24V48l8-6z"/><path ${SHADE} d="M48 22h12l4 20 8 6v38H48z"/><path ${LINE} d="M34 58h28v14H34zM48 58v14"/>`,
  jar: `<rect fill="#b98b54" x="32" y="14" width="32" height="14" rx="4"/><path fill="currentColor" d="M28 28h40c6 4 8 8 8 14v34c0 5-3 8-8 8H28c-5 0-8-3-8-8V42c0-6 2-10 8-14z"/><path ${SHADE} d="M60 28h8c6 4 8 8 8 14v34c0 5-3 8-8 8h-8z"/><path ${LIGHT} d="M32 48h26v18H32z"/><path ${LINE} d="M37 54h16M37 60h10"/>`,
};

/** The drawing of a product in a colour, as an SVG element. */
export function art(name, colour) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 96 96");
  svg.setAttribute("class", "art");
  svg.setAttribute("aria-hidden", "true");
  svg.style.color = colour;
  svg.innerHTML = SHAPES[name] ?? SHAPES.jar;
  return svg;
}

/** The colour a product is shown in before anybody chooses one. */
export function firstColour(product) {
  const inStock = product.colours.filter((colour) => colour.in_stock);
  return inStock[product.id % inStock.length].hex;
}
