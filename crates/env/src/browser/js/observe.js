// The facts of the whole page for one look.

const outside = (box, clip) => box[2] <= clip[0] || box[3] <= clip[1] || box[0] >= clip[2] || box[1] >= clip[3];

const observe = () => {
  const items = [], masks = [];
  eachScope((scope, place, clip) => {
    // Secrets are masked wherever they are, also beyond the limit of what is listed.
    for (const field of scope.passwords) {
      const box = field.type === 'password' && field.value ? boxOf(field, place) : null;
      if (box) masks.push(box);
    }
    for (const element of scope.interactive) {
      if (items.length >= LIMIT) return;
      const box = boxOf(element, place);
      if (!box || outside(box, clip) || !visible(element)) continue;
      items.push({ role: roleOf(element) || tagOf(element), name: nameOf(element), box });
    }
  });
  return {
    url: location.href, title: document.title, width: innerWidth, height: innerHeight, dpr: devicePixelRatio,
    focus: focus(), interactables: items, masks, probe: readProbe(), unexamined: countUnexamined(), complaint: complaint(),
    rest: rest(),
  };
};
