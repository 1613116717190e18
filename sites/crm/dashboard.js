// The dashboard: one request, then figures, bars and the follow-up table from its answer.
import { callApi, dateText, element, monthName, showToast } from "/assets/common.js";

const SVG = "http://www.w3.org/2000/svg";

const answer = await callApi("GET", "/api/summary");
if (answer.ok) {
  showFigures(answer.data);
  drawChart(answer.data.by_month);
  showStages(answer.data.by_status, answer.data.total);
  showFollowUps(answer.data.follow_ups);
} else {
  showToast(answer.data.error.message, true);
}

function showFigures(summary) {
  const { Lead, Prospect, Customer, Churned } = summary.by_status;
  const share = (part, whole) => (whole === 0 ? 0 : Math.round((100 * part) / whole));
  setText("figure-total", summary.total);
  setText("note-total", `${summary.newsletter} receive the newsletter`);
  setText("figure-customers", Customer);
  setText("note-customers", `${share(Churned, Customer + Churned)} % churned so far`);
  setText("figure-pipeline", Lead + Prospect);
  setText("note-pipeline", `${Lead} leads, ${Prospect} prospects`);
  setText("figure-quiet", summary.quiet_customers);
}

function setText(id, text) {
  document.getElementById(id).textContent = text;
}

function drawChart(months) {
  const width = 660;
  const base = 166;
  const tall = 140;
  const tallest = Math.max(1, ...months.map((month) => month.count));
  const step = width / months.length;
  const svg = svgElement("svg", { viewBox: `0 0 ${width} 190`, role: "img" });
  svg.setAttribute("aria-label", months.map((month) => `${month.month}: ${month.count}`).join(", "));
  for (const share of [0, 0.5, 1]) {
    const y = base - share * tall;
    svg.append(svgElement("line", { x1: 0, x2: width, y1: y, y2: y }));
  }
  months.forEach((month, index) => {
    const height = (month.count / tallest) * tall;
    const middle = step * index + step / 2;
    const bar = svgElement("rect", { x: middle - 15, y: base - height, width: 30, height, rx: 3 });
    if (index === months.length - 1) {
      bar.classList.add("latest");
    }
    const count = svgElement("text", { x: middle, y: base - height - 6, "text-anchor": "middle", class: "count" });
    count.textContent = month.count;
    const label = svgElement("text", { x: middle, y: base + 17, "text-anchor": "middle" });
    label.textContent = monthName(Number(month.month.slice(5)));
    svg.append(bar, count, label);
  });
  document.getElementById("chart").replaceChildren(svg);
}

function svgElement(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  return made;
}

function showStages(counts, total) {
  const items = Object.entries(counts).map(([status, count]) => {
    const bar = element("div", { className: `stage-bar stage-${status.toLowerCase()}` });
    bar.style.width = `${total === 0 ? 0 : (100 * count) / total}%`;
    return element(
      "li",
      {},
      element(
        "div",
        { className: "stage-line" },
        element("a", { href: `/contacts?status=${status}` }, status),
        element("strong", {}, String(count)),
      ),
      element("div", { className: "stage-track" }, bar),
    );
  });
  document.getElementById("stages").replaceChildren(...items);
}

function showFollowUps(contacts) {
  const rows = contacts.map((contact) =>
    element(
      "tr",
      {},
      element("td", {}, element("a", { href: `/contacts/${contact.id}` }, contact.name)),
      element("td", {}, contact.company),
      element("td", {}, contact.owner),
      element("td", {}, dateText(contact.last_contact)),
    ),
  );
  document.getElementById("follow-ups").replaceChildren(...rows);
}
