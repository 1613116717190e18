// Joins the logs of documents in frames: an inner document hands its entries to the one around it,
// which adds the name of the frame, until they reach the page. Works across origins.
"use strict";

(() => {
  const up = (message) => window.parent.postMessage({ lab: true, ...message }, "*");

  if (lab.isFrame) {
    lab.onEntry = (entry) => up({ entry });
    lab.fact = (name, value) => up({ fact: name, value });
    lab.onChange = () => {};
    lab.flush = () => {};
    window.addEventListener("load", () => up({ boxes: lab.boxes() }));
  }

  // The border and the scale of the frame, so that boxes are right in the outer view.
  function outward(frame, [left, top, right, bottom]) {
    const box = frame.getBoundingClientRect();
    const scale = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
    const x = (edge) => Math.round((box.left + (frame.clientLeft + edge) * scale) * 10) / 10;
    const y = (edge) => Math.round((box.top + (frame.clientTop + edge) * scale) * 10) / 10;
    return [x(left), y(top), x(right), y(bottom)];
  }

  window.addEventListener("message", ({ data, source }) => {
    if (!data?.lab) {
      return;
    }
    const frame = [...document.querySelectorAll("iframe")].find((candidate) => candidate.contentWindow === source);
    if (!frame) {
      return;
    }
    const path = (inner) => (inner ? `${frame.id}/${inner}` : frame.id);
    if (data.entry) {
      const entry = { ...data.entry, frame: path(data.entry.frame) };
      if (lab.isFrame) {
        up({ entry });
      } else {
        lab.add(entry);
      }
    } else if (data.boxes) {
      const boxes = Object.fromEntries(
        Object.entries(data.boxes).map(([id, box]) => [path(id), outward(frame, box)]),
      );
      if (lab.isFrame) {
        up({ boxes });
      } else {
        lab.fact("boxes", { ...lab.facts.boxes, ...boxes });
      }
    } else if (data.fact) {
      lab.fact(path(data.fact), data.value);
    }
  });
})();
