(() => {
  "use strict";
  document.documentElement.classList.add("js");
  const steps = [...document.querySelectorAll("article.step")];
  const strip = document.querySelector(".film ol");
  const links = steps.map((step) => strip && strip.querySelector(`a[href="#${step.id}"]`));
  const columns = steps.map((step) => document.querySelector(`.lanes thead a[href="#${step.id}"]`));
  let current = -1;
  // The step that the reader went to; it stays the current one as long as it is what is looked at.
  let chosen = -1;
  // A smooth scroll that was asked for passes other steps on its way.
  let gliding = false;

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
    gliding = !calm;
    step.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
    step.focus({ preventScroll: true });
    choose(steps.indexOf(step));
  };

  const choose = (index) => {
    chosen = index;
    mark(index);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, pre")) return;
    if (event.key === "ArrowRight" || event.key === "j") go(current + 1);
    else if (event.key === "ArrowLeft" || event.key === "k") go(Math.max(0, current - 1));
    else return;
    event.preventDefault();
  });

  // Of the steps on the screen the first one counts that has more than its last lines below the film strip.
  const visible = new Set();
  const film = document.querySelector(".film");
  let asked = false;
  const look = () => {
    asked = false;
    const line = (film ? film.offsetHeight : 0) + 60;
    const middle = (line + innerHeight) / 2;
    if (chosen >= 0) {
      const { top } = steps[chosen].getBoundingClientRect();
      // At the end of the page the last steps cannot come to the top.
      const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      if (top >= 0 && (top < middle || (atEnd && top < innerHeight))) return mark(chosen);
      if (gliding) return;
      chosen = -1;
    }
    const order = [...visible].sort((a, b) => a - b);
    const first = order.find((index) => steps[index].getBoundingClientRect().bottom > line);
    if (first !== undefined && steps[first].getBoundingClientRect().top < middle) mark(first);
  };
  const soon = () => {
    if (!asked) requestAnimationFrame(look);
    asked = true;
  };
  const watcher = new IntersectionObserver((seen) => {
    for (const one of seen) {
      const index = steps.indexOf(one.target);
      if (one.isIntersecting) visible.add(index);
      else visible.delete(index);
    }
    soon();
  });
  steps.forEach((step) => watcher.observe(step));
  addEventListener("scroll", soon, { passive: true });
  addEventListener("scrollend", () => { gliding = false; soon(); });
  for (const kind of ["wheel", "touchmove", "pointerdown"]) addEventListener(kind, () => { gliding = false; }, { passive: true });
  const arrived = () => {
    const index = steps.findIndex((step) => `#${step.id}` === location.hash);
    if (index >= 0) choose(index);
  };
  addEventListener("hashchange", arrived);
  arrived();

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
