// Buttons in a row that are one stop for Tab, however many there are: arrows go along them.

const GO = { ArrowLeft: (at) => at - 1, ArrowRight: (at) => at + 1, Home: () => 0, End: (at, last) => last };

export class Rove {
  /** `place` holds the buttons; `buttons` gives them in their order. */
  constructor(place, buttons) {
    this.place = place;
    this.buttons = buttons;
    // What the page does with arrows is not meant by one that is pressed here.
    place.dataset.keys = "arrows";
    place.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const buttons = this.buttons();
    const at = buttons.indexOf(document.activeElement);
    if (at < 0 || !GO[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = buttons[GO[event.key](at, buttons.length - 1)];
    if (!next) return;
    this.stop(next);
    next.focus();
  }

  /** The one that Tab comes to. Whoever goes along the row with the keys stays where they are. */
  rest(button) {
    if (!this.place.contains(document.activeElement)) this.stop(button);
  }

  stop(button) {
    for (const other of this.buttons()) other.tabIndex = other === button ? 0 : -1;
  }
}
