// Areas of the flat image that a person blacks out: drawn by hand, words that are tapped, or the place of a value.
import { word } from './words.js';

/** Up to how many pixels of the screen a finger moves where it taps. */
const tapReach = 8;

function rectangle(area) {
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ['x', 'y', 'width', 'height'].forEach((name, index) => shape.setAttribute(name, area[index]));
  return shape;
}

export class Areas {
  /**
   * @param apply what is done with areas, each [left, top, width, height] in pixels of the flat image
   * @param wait told whether areas are drawn that are not black yet
   */
  constructor(byId, apply, wait) {
    this.byId = byId;
    this.wait = wait;
    this.drawn = [];
    this.words = [];
    const stage = byId('compare');
    byId('marking').addEventListener('click', () => this.switch(!this.isOn));
    byId('unmark').addEventListener('click', () => this.clear());
    byId('blacken').addEventListener('click', () => apply(this.drawn.length ? this.drawn : [this.place]));
    stage.addEventListener('pointerdown', (event) => {
      if (!this.isOn || !this.size) return;
      event.preventDefault();
      this.start = { at: this.point(event), x: event.clientX, y: event.clientY };
      stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener('pointermove', (event) => { if (this.start) this.draw(this.between(this.start.at, this.point(event))); });
    stage.addEventListener('pointerup', (event) => {
      const { start } = this;
      if (!start) return;
      this.start = null;
      const isTap = Math.hypot(event.clientX - start.x, event.clientY - start.y) < tapReach;
      const area = isTap ? this.wordAt(start.at) : this.between(start.at, this.point(event));
      if (area) this.drawn.push(area);
      this.draw();
    });
    stage.addEventListener('pointercancel', () => { this.start = null; this.draw(); });
  }

  /** The page that is shown: its size, and where its words stand. Nothing can be blacked out without. */
  show(size, text) {
    this.size = size;
    this.words = (text?.blocks ?? []).flatMap((block) => block.lines).flatMap((line) => line.words);
    this.byId('marking').hidden = !size;
    this.mark(null);
    this.clear();
    this.switch(false);
  }

  /** The place of a value, as a polygon; null for none. */
  mark(place) {
    this.place = null;
    if (place?.length) {
      const [xs, ys] = [place.map((p) => p[0]), place.map((p) => p[1])];
      // Corners are in the middle of pixels.
      this.place = this.between([Math.min(...xs) + .5, Math.min(...ys) + .5], [Math.max(...xs) + .5, Math.max(...ys) + .5]);
    }
    this.offer();
  }

  switch(isOn) {
    this.isOn = isOn;
    this.byId('marking').setAttribute('aria-pressed', String(isOn));
    this.byId('compare').classList.toggle('marking', isOn);
    this.byId('markHint').hidden = !isOn;
    // Words can be chosen by the keyboard too.
    this.byId('choices').replaceChildren(...(isOn ? this.words : []).map(({ box, text }) => {
      const area = this.between([box[0], box[1]], [box[2], box[3]]);
      const shape = rectangle(area ?? [0, 0, 0, 0]);
      shape.setAttribute('tabindex', '0');
      shape.setAttribute('role', 'button');
      shape.setAttribute('aria-label', text);
      shape.addEventListener('keydown', (event) => {
        if (!area || !['Enter', ' '].includes(event.key)) return;
        event.preventDefault();
        this.drawn.push(area);
        this.draw();
      });
      return shape;
    }));
    this.offer();
  }

  clear() {
    this.drawn = [];
    this.draw();
  }

  /** Where the pointer is, in pixels of the flat image. */
  point(event) {
    const box = this.byId('after').getBoundingClientRect();
    const share = (value, from, length) => Math.max(0, Math.min(1, (value - from) / length));
    return [share(event.clientX, box.left, box.width) * this.size.width, share(event.clientY, box.top, box.height) * this.size.height];
  }

  between([x, y], [u, v]) {
    const within = (value, most) => Math.max(0, Math.min(most, value));
    const [left, right] = [Math.min(x, u), Math.max(x, u)].map((value) => within(value, this.size?.width ?? 0));
    const [top, bottom] = [Math.min(y, v), Math.max(y, v)].map((value) => within(value, this.size?.height ?? 0));
    const area = [left, top, right - left, bottom - top].map((value) => Math.round(value * 10) / 10);
    return area[2] > 0 && area[3] > 0 ? area : null;
  }

  wordAt([x, y]) {
    const box = this.words.map((word) => word.box).find(([left, top, right, bottom]) => x >= left && x <= right && y >= top && y <= bottom);
    return box ? this.between([box[0], box[1]], [box[2], box[3]]) : null;
  }

  /** @param growing one that is still drawn */
  draw(growing) {
    const shown = [...this.drawn, ...(growing ? [growing] : [])];
    this.byId('marked').replaceChildren(...shown.map(rectangle));
    this.wait(this.drawn.length > 0);
    this.offer();
  }

  offer() {
    const count = this.drawn.length || (this.place ? 1 : 0);
    this.byId('blacken').hidden = !this.size || !count;
    this.byId('blacken').textContent = word('blacken');
    this.byId('unmark').hidden = !this.drawn.length;
  }
}
