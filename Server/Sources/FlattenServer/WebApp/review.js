// What came of a picture: image, text, values, corners to mend, files to keep.
import { word } from './words.js';
import { showFound } from './found.js';
import { Areas } from './areas.js';
import { MeshView } from './mesh.js';

const saved = [['image.png', 'PNG'], ['receipt.pdf', 'PDF'], ['text.txt', 'TXT'], ['table.csv', 'CSV'], ['fields.json', 'JSON'], ['mesh.glb', '3D']];
/** Values below this confidence are to be looked at. */
const doubtful = 0.8;
/** Values that a person mends before a document is kept. */
const mendable = ['merchant', 'date', 'total', 'currency'];
const tabs = ['image', 'text', 'fields', 'found', 'mesh', 'corners'];

/** A button for each of several pages; none for one. */
export function choices(count, choose) {
  if (count < 2) return [];
  return Array.from({ length: count }, (_, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = index + 1;
    button.setAttribute('aria-label', `${word('page')} ${index + 1}`);
    button.addEventListener('click', () => choose(index + 1));
    return button;
  });
}

/** Marks the button of a page. */
export function pressed(group, number) {
  [...group.children].forEach((button, index) => button.setAttribute('aria-pressed', String(index + 1 === number)));
}

export class Review {
  constructor(byId, { again, next, more }) {
    this.byId = byId;
    // What a person chose for this document holds for its further pages; corners and areas are of one image.
    byId('addPage').addEventListener('click', () => {
      const { look, find, redact, country } = this.request;
      more(this.blobs, { look, find, ...(redact && { redact }), ...(country && { country }) });
    });
    this.again = again;
    this.corners = [];
    byId('next').addEventListener('click', next);
    byId('copy').addEventListener('click', async () => {
      await navigator.clipboard.writeText(byId('text').textContent);
      byId('copy').textContent = word('copied');
    });
    byId('part').addEventListener('input', () => this.compare());
    // With other corners it is another image, on which areas lie elsewhere.
    byId('flattenAgain').addEventListener('click', () => again(this.blobs, { ...this.request, corners: this.corners, redact_areas: [] }));
    this.areas = new Areas(byId, (areas) => again(this.blobs, this.with({}, areas)), (isWaiting) => {
      // What looks black and is not yet must not be passed on.
      for (const id of ['saves', 'share', 'keep']) byId(id).inert = isWaiting;
    });
    byId('share').addEventListener('click', () => this.share());
    for (const input of document.querySelectorAll('#review [name=look]')) {
      input.addEventListener('change', () => again(this.blobs, this.with({ look: input.value })));
    }
    for (const input of document.querySelectorAll('[name=redact]')) {
      input.addEventListener('change', () => {
        const redact = [...document.querySelectorAll('[name=redact]:checked')].map((box) => box.value);
        again(this.blobs, this.with({ redact }));
      });
    }
    for (const name of tabs) byId('tab-' + name).addEventListener('click', () => this.open(name));
    document.querySelector('[role=tablist]').addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const shown = tabs.filter((name) => !byId('tab-' + name).hidden);
      const place = (shown.findIndex((name) => byId('tab-' + name) === document.activeElement) + step + shown.length) % shown.length;
      this.open(shown[place]);
      byId('tab-' + shown[place]).focus();
    });
    this.editCorners();
  }

  /** The request with something else, and the areas that are drawn. What a person entered for values that they hide is dropped. */
  with(change, areas = this.areas.drawn) {
    for (const key of Object.keys(this.entered)) {
      const place = this.result.report.fields?.[key]?.polygon?.flat ?? [];
      const isHidden = areas.some(([x, y, w, h]) => place.some(([u, v]) => u >= x - 1 && u <= x + w && v >= y - 1 && v <= y + h));
      if (isHidden) delete this.entered[key];
    }
    const redact_areas = [...(this.request.redact_areas ?? []), ...areas];
    return { ...this.request, ...change, ...(redact_areas.length && { redact_areas }) };
  }

  open(name) {
    for (const tab of tabs) {
      const button = this.byId('tab-' + tab);
      button.setAttribute('aria-selected', String(tab === name));
      button.tabIndex = tab === name ? 0 : -1;
      this.byId('panel-' + tab).hidden = tab !== name;
    }
    if (name === 'corners') this.drawCorners();
    if (name === 'mesh') this.showMesh();
  }

  async show(blobs, request, result) {
    // With another look or another page it is still the same document.
    if (blobs[0] !== this.blobs?.[0]) this.entered = {};
    // Said until they are black again.
    const isSame = blobs[0] === this.blobs?.[0];
    this.isUncovered = isSame && !request.redact_areas?.length && (this.isUncovered || this.request.redact_areas?.length > 0);
    this.byId('addPage').hidden = request.redact_areas?.length > 0;
    [this.blobs, this.request, this.job, this.isLocked] = [blobs, request, result, false];
    for (const input of document.querySelectorAll('#review [name=look]')) input.checked = input.value === this.request.look;
    for (const input of document.querySelectorAll('[name=redact]')) input.checked = (request.redact ?? []).includes(input.value);
    this.byId('pages').replaceChildren(...choices(result.pages, (number) => this.turnTo(number)));
    await this.turnTo(1);
  }

  /** The name of an output of a page, as the server has it. */
  output(name, number) {
    const { outputs } = this.job;
    return outputs.find((o) => o === name.replace('.', `-${number}.`)) ?? (number === 1 ? outputs.find((o) => o === name) : undefined);
  }

  /** Shows a page. */
  async turnTo(number) {
    const turn = this.turn = {};
    const fetched = ['image.jpg', 'text.txt', 'fields.json', 'report.json', 'text.json'].map(async (name) => {
      const file = this.output(name, number);
      const got = file && await fetch(`/v1/jobs/${this.job.job}/${file}`);
      return got?.ok ? got : null;
    });
    const [image, text, fields, report, words] = await Promise.all(fetched);
    const result = {
      image: await image?.blob(), text: (await text?.text()) ?? '', fields: (await fields?.json()) ?? {}, report: (await report?.json()) ?? {},
      words: await words?.json(),
    };
    // Another page may have been asked for meanwhile.
    if (turn !== this.turn) return;
    [this.result, this.number] = [result, number];
    // Pages of one file have no photograph of their own here.
    this.blob = this.blobs.length === this.job.pages ? this.blobs[number - 1] : this.blobs[0];
    for (const url of this.urls ?? []) URL.revokeObjectURL(url);
    this.urls = [result.image, this.blob].map((b) => (b ? URL.createObjectURL(b) : ''));
    this.byId('after').src = this.urls[0];
    this.byId('after').alt = result.text.slice(0, 200);
    this.byId('before').src = this.urls[1];
    this.byId('part').value = 0;
    this.compare();
    const isRedacted = [this.request.redact, this.request.redact_areas].some((list) => list?.length);
    this.photo = null;
    try { this.photo = await createImageBitmap(this.blob); } catch { /* A PDF or an archive: there are no corners to drag. */ }
    // Corners are of one photograph.
    this.byId('tab-corners').hidden = !this.photo || this.blobs.length > 1;
    this.byId('tab-mesh').hidden = !this.output('mesh.glb', number);
    this.areas.show(this.job.pages === 1 ? report?.ok && result.report.size_px : null, result.words);
    document.querySelector('.slider').hidden = !this.photo || isRedacted;
    this.corners = this.request.corners ?? this.foundCorners();
    const share = result.image && new File([result.image], 'receipt.jpg', { type: 'image/jpeg' });
    this.byId('share').hidden = !(share && navigator.canShare?.({ files: [share] }));
    pressed(this.byId('pages'), number);
    this.translate();
    this.open('image');
    if (result.report.size_px) this.mark(null);
  }

  translate() {
    if (!this.result) return;
    const { report, fields, text } = this.result;
    this.byId('warnings').replaceChildren(...[...(this.isUncovered ? [word('areasGone')] : []), ...(report.warnings ?? [])].map((words) => {
      const row = document.createElement('li');
      row.textContent = words;
      return row;
    }));
    this.byId('text').textContent = text || word('noText');
    this.areas.offer();
    this.showValues(fields);
    if (this.isLocked) this.lock();
    showFound(report, this.byId('panel-found'), (place) => { this.open('image'); this.mark(place); });
    const names = this.job.pages > 1 ? [...saved, ['document.pdf', word('allPages')]] : saved;
    this.byId('saves').replaceChildren(...names.flatMap(([name, label]) => {
      const file = this.output(name, this.number) ?? this.output(name, 1);
      if (!file) return [];
      const link = document.createElement('a');
      link.className = 'button';
      link.href = `/v1/jobs/${this.job.job}/${file}`;
      link.download = file;
      link.textContent = `${word('save')} ${label}`;
      return [link];
    }));
  }

  showValues(fields) {
    const body = this.byId('values').tBodies[0];
    body.replaceChildren(...Object.entries(word('values')).map(([key, name]) => {
      const row = document.createElement('tr');
      const head = document.createElement('th');
      head.scope = 'row';
      head.textContent = name;
      row.append(head, this.value(fields, key));
      return row;
    }));
    const items = fields.items ?? [];
    const columns = ['quantity', 'description', 'amount'];
    const table = this.byId('items');
    table.hidden = !items.length;
    const head = document.createElement('tr');
    head.append(...columns.map((key) => {
      const cell = document.createElement('th');
      cell.textContent = word(key);
      if (key !== 'description') cell.className = 'number';
      return cell;
    }));
    table.tHead.replaceChildren(head);
    table.tBodies[0].replaceChildren(...items.map((item) => {
      const row = document.createElement('tr');
      row.append(...columns.map((key) => {
        const cell = document.createElement('td');
        cell.textContent = item[key] ?? '';
        if (key !== 'description') cell.className = 'number';
        return cell;
      }));
      return row;
    }));
  }

  /** A value as a cell that shows where it stands, marked where it is doubtful. One that can be kept can be mended. */
  value(fields, key) {
    const cell = document.createElement('td');
    const input = !this.byId('keep').hidden && this.number === 1 && mendable.includes(key) ? this.field(fields, key) : null;
    if (input) cell.append(input);
    if (fields[key] == null) {
      if (!input) cell.textContent = word('absent');
      cell.className = 'absent';
      cell.title = fields.missing?.[key] ?? '';
      return cell;
    }
    const found = this.result.report.fields?.[key];
    const place = found?.polygon?.flat;
    if (!place?.length) {
      if (!input) cell.textContent = fields[key];
      return cell;
    }
    const button = document.createElement('button');
    button.type = 'button';
    if (input) button.setAttribute('aria-label', `${word('where')}: ${word('values')[key]}`);
    button.textContent = (input ? word('where') : fields[key]) + (found.confidence < doubtful ? ` \u2013 ${word('doubtful')}` : '');
    cell.className = found.confidence < doubtful ? 'doubtful' : '';
    button.addEventListener('click', () => {
      this.open('image');
      this.mark(place);
    });
    cell.append(button);
    return cell;
  }

  /** What was kept is mended in the archive. */
  lock() {
    this.isLocked = true;
    for (const input of this.byId('values').querySelectorAll('input')) input.disabled = true;
  }

  /** Where a person enters what a value should be; it goes to the archive with the document. */
  field(fields, key) {
    const input = document.createElement('input');
    input.setAttribute('aria-label', word('values')[key]);
    if (key === 'date') input.type = 'date';
    if (key === 'total') input.inputMode = 'decimal';
    input.value = this.entered[key] ?? fields[key] ?? '';
    input.placeholder = word('absent');
    input.addEventListener('change', () => {
      if (key === 'total') input.value = input.value.trim().replace(',', '.');
      if (key === 'currency') input.value = input.value.trim().toUpperCase();
      // What is emptied is what was read.
      if (input.value && input.value !== fields[key]) this.entered[key] = input.value;
      else delete this.entered[key];
    });
    return input;
  }

  /** A frame around a place on the flat image; none without. */
  mark(place) {
    const { width, height } = this.result.report.size_px;
    const mark = this.byId('mark');
    mark.setAttribute('viewBox', `0 0 ${width} ${height}`);
    mark.firstElementChild.setAttribute('points', (place ?? []).map((point) => point.join(',')).join(' '));
    this.areas.mark(place);
    if (place) mark.scrollIntoView({ block: 'center' });
  }

  /** The sheet in space, once for each page. */
  async showMesh() {
    const { turn, job, number } = this;
    this.mesh ??= new MeshView(this.byId('mesh'));
    this.byId('meshNote').textContent = word(this.mesh.isPossible ? 'meshHint' : 'noMesh');
    if (!this.mesh.isPossible || this.shownMesh === turn) return;
    try {
      const answer = await fetch(`/v1/jobs/${job.job}/${this.output('mesh.glb', number)}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const mesh = await answer.arrayBuffer();
      if (turn !== this.turn) return;
      await this.mesh.show(mesh);
      this.shownMesh = turn;
    } catch (error) {
      this.byId('meshNote').textContent = word('failed') + error.message;
    }
  }

  /** The photograph over the flat image, as far as the slider says. */
  compare() {
    const part = Number(this.byId('part').value);
    this.byId('before').style.clipPath = `inset(0 ${100 - part}% 0 0)`;
  }

  async share() {
    const file = new File([this.result.image], 'receipt.jpg', { type: 'image/jpeg' });
    try { await navigator.share({ files: [file], text: this.result.fields.merchant ?? '' }); } catch { /* Left by the person. */ }
  }

  // Corners

  /** The outline's extreme points, or a frame in the picture. */
  foundCorners() {
    const outline = this.result.report.outline;
    const [width, height] = [this.photo?.width ?? 1, this.photo?.height ?? 1];
    const points = outline?.length > 3 ? outline : [[.1, .1], [.9, .1], [.9, .9], [.1, .9]].map(([x, y]) => [x * width, y * height]);
    const extreme = (score) => points.reduce((best, point) => (score(point) > score(best) ? point : best));
    const corners = [([x, y]) => -x - y, ([x, y]) => x - y, ([x, y]) => x + y, ([x, y]) => y - x].map(extreme);
    return corners.map(([x, y]) => [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)]);
  }

  editCorners() {
    const canvas = this.byId('photo');
    this.picked = 0;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [(event.clientX - box.left) / box.width * this.photo.width, (event.clientY - box.top) / box.height * this.photo.height];
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (!this.photo) return;
      const [x, y] = place(event);
      const distances = this.corners.map(([cx, cy]) => Math.hypot(cx - x, cy - y));
      this.picked = distances.indexOf(Math.min(...distances));
      this.isDragging = true;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => { if (this.isDragging) this.move(...place(event)); });
    for (const type of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(type, () => { this.isDragging = false; this.drawCorners(); });
    }
    canvas.addEventListener('keydown', (event) => {
      if (!this.photo) return;
      const step = this.photo.width / (event.shiftKey ? 40 : 400);
      const [x, y] = this.corners[this.picked];
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (event.key === 'Tab' && !event.shiftKey && this.picked < 3) this.picked += 1;
      else if (event.key === 'Tab' && event.shiftKey && this.picked > 0) this.picked -= 1;
      else if (moves[event.key]) this.move(x + moves[event.key][0], y + moves[event.key][1]);
      else return;
      event.preventDefault();
      this.drawCorners();
    });
  }

  move(x, y) {
    this.corners[this.picked] = [Math.min(Math.max(x, 0), this.photo.width - 1), Math.min(Math.max(y, 0), this.photo.height - 1)];
    this.drawCorners();
  }

  drawCorners() {
    if (!this.photo) return;
    const canvas = this.byId('photo');
    const factor = Math.min(1, 1400 / Math.max(this.photo.width, this.photo.height));
    canvas.width = Math.round(this.photo.width * factor);
    canvas.height = Math.round(this.photo.height * factor);
    const context = canvas.getContext('2d');
    context.drawImage(this.photo, 0, 0, canvas.width, canvas.height);
    const points = this.corners.map(([x, y]) => [x * factor, y * factor]);
    const size = Math.max(canvas.width, canvas.height);
    context.strokeStyle = '#ffd24a';
    context.lineWidth = size / 250;
    context.beginPath();
    points.forEach((point, index) => context[index ? 'lineTo' : 'moveTo'](...point));
    context.closePath();
    context.stroke();
    points.forEach((point, index) => {
      context.beginPath();
      context.arc(...point, size / (index === this.picked ? 45 : 60), 0, 2 * Math.PI);
      context.fillStyle = index === this.picked ? 'rgba(63, 220, 138, .55)' : 'rgba(255, 210, 74, .55)';
      context.fill();
      context.stroke();
    });
    if (this.isDragging) this.magnify(context, points[this.picked], canvas);
  }

  /** What lies under the finger, four times as large, in the corner of the picture that is farthest from it. */
  magnify(context, [x, y], canvas) {
    const side = Math.min(canvas.width, canvas.height) * .3;
    const left = x > canvas.width / 2 ? 0 : canvas.width - side;
    const top = y > canvas.height / 2 ? 0 : canvas.height - side;
    const [cx, cy] = this.corners[this.picked];
    const reach = side / (canvas.width / this.photo.width) / 8;
    context.save();
    context.fillStyle = '#000';
    context.fillRect(left, top, side, side);
    context.drawImage(this.photo, cx - reach, cy - reach, 2 * reach, 2 * reach, left, top, side, side);
    context.strokeStyle = '#3fdc8a';
    context.lineWidth = side / 60;
    context.strokeRect(left, top, side, side);
    context.beginPath();
    context.moveTo(left + side / 2, top + side * .4);
    context.lineTo(left + side / 2, top + side * .6);
    context.moveTo(left + side * .4, top + side / 2);
    context.lineTo(left + side * .6, top + side / 2);
    context.stroke();
    context.restore();
  }
}
