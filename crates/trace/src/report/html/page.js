(() => {
  "use strict";
  document.documentElement.classList.add("js");
  const steps = [...document.querySelectorAll("article.step")];
  const strip = document.querySelector(".film ol");
  const links = steps.map((step) => strip && strip.querySelector(`a[href="#${step.id}"]`));
  let current = -1;

  const mark = (index) => {
    if (index === current || index < 0) return;
    if (links[current]) links[current].removeAttribute("aria-current");
    current = index;
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

  for (const control of document.querySelectorAll(".compare")) {
    const frames = control.previousElementSibling;
    const button = control.querySelector("button");
    const label = control.querySelector("label");
    const range = control.querySelector("input");
    const split = () => frames.style.setProperty("--split", `${range.value}%`);
    button.addEventListener("click", () => {
      const stacked = frames.classList.toggle("stacked");
      button.setAttribute("aria-pressed", String(stacked));
      button.textContent = stacked ? "Show side by side" : "Lay one over the other";
      label.hidden = !stacked;
      split();
    });
    range.addEventListener("input", split);
  }
})();
