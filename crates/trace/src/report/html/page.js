(() => {
  "use strict";
  document.documentElement.classList.add("js");
  const steps = [...document.querySelectorAll("article.step")];
  const strip = document.querySelector(".film ol");
  const links = steps.map((step) => strip && strip.querySelector(`a[href="#${step.id}"]`));
  const columns = steps.map((step) => document.querySelector(`.lanes thead a[href="#${step.id}"]`));
  let current = -1;

  const mark = (index) => {
    if (index === current || index < 0) return;
    for (const old of [links[current], columns[current]]) if (old) old.removeAttribute("aria-current");
    current = index;
    if (columns[index]) columns[index].setAttribute("aria-current", "step");
    const link = links[index];
    if (!link) return;
    link.setAttribute("aria-current", "step");
    const item = link.parentElement;
    strip.scrollTo({ left: item.offsetLeft - (strip.clientWidth - item.clientWidth) / 2 });
  };

  const go = (index) => {
    const step = steps[Math.max(0, Math.min(steps.length - 1, index))];
    if (!step) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    step.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
    step.focus({ preventScroll: true });
    mark(steps.indexOf(step));
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, pre")) return;
    if (event.key === "ArrowRight" || event.key === "j") go(current + 1);
    else if (event.key === "ArrowLeft" || event.key === "k") go(Math.max(0, current - 1));
    else return;
    event.preventDefault();
  });

  const watcher = new IntersectionObserver((seen) => {
    for (const one of seen) if (one.isIntersecting) mark(steps.indexOf(one.target));
  }, { rootMargin: "-35% 0px -60% 0px" });
  steps.forEach((step) => watcher.observe(step));

  document.addEventListener("input", (event) => {
    const split = event.target.closest(".split input");
    if (split) split.closest(".pictures").style.setProperty("--split", `${split.value}%`);
  });

  // The lanes are one stop of the Tab key; arrows move inside them. One listener for all: a run has hundreds of cells.
  const lanes = document.querySelector(".lanes table");
  if (lanes) {
    const rows = [...lanes.rows].map((row) => [...row.cells].map((cell) => cell.querySelector("a")));
    let stop = null;
    const stand = (link) => {
      if (stop) stop.tabIndex = -1;
      stop = link;
      link.tabIndex = 0;
    };
    for (const link of lanes.querySelectorAll("a")) link.tabIndex = -1;
    const first = lanes.querySelector("a");
    if (first) stand(first);
    lanes.addEventListener("focusin", (event) => stand(event.target));
    lanes.addEventListener("keydown", (event) => {
      const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] || [0, 0];
      if (event.ctrlKey || event.metaKey || event.altKey || (!down && !right)) return;
      let row = rows.findIndex((links) => links.includes(event.target));
      let column = rows[row].indexOf(event.target);
      do {
        row += down;
        column += right;
      } while (rows[row] && column in rows[row] && !rows[row][column]);
      const next = rows[row] && rows[row][column];
      event.preventDefault();
      event.stopPropagation();
      if (next) next.focus();
    });
  }
})();
