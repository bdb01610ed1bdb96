// The archive: what was kept, found by words, shown and mended.
import { word } from './words.js';

const [pageSize, mostMonths] = [30, 12];
const fieldNames = ['merchant', 'date', 'total', 'currency', 'kind'];

/** Asks the server; throws what it says of an error. */
async function ask(path, options = {}) {
  const answer = await fetch('/v1/archive' + path, options);
  if (answer.status === 401) location.href = '/login';
  if (!answer.ok) {
    let detail = answer.statusText;
    try { detail = (await answer.json()).detail || detail; } catch { /* no words of the server's own */ }
    throw new Error(detail);
  }
  return answer.status === 204 ? null : answer.json();
}

const asJSON = (method, value) => ({ method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

export class Archive {
  constructor(byId, show) {
    this.byId = byId;
    this.show = show;
    byId('archive').addEventListener('click', () => this.open());
    byId('find').addEventListener('input', () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.list(), 250);
    });
    byId('more').addEventListener('click', () => this.list(this.listed));
    byId('back').addEventListener('click', () => this.open());
    byId('mend').addEventListener('submit', (event) => { event.preventDefault(); this.mend(); });
    byId('undo').addEventListener('click', () => this.act(() => ask(`/${this.id}/undo`, { method: 'POST' })));
    byId('remove').addEventListener('click', () => this.remove());
  }

  /** Offers the archive where the server keeps one. */
  async offer() {
    const answer = await fetch('/v1/capabilities').catch(() => null);
    this.isKept = Boolean(answer?.ok && (await answer.json()).archive);
    this.byId('archive').hidden = !this.isKept;
    return this.isKept;
  }

  open() {
    this.show('kept');
    this.list();
    this.total();
  }

  /** Shows documents from a place on. */
  async list(offset = 0) {
    const words = this.byId('find').value;
    const turn = this.turn = {};
    try {
      const found = await ask(`?limit=${pageSize}&offset=${offset}&words=${encodeURIComponent(words)}`);
      // A later search may have been answered first.
      if (turn !== this.turn) return;
      const rows = found.documents.map((document) => this.row(document));
      const list = this.byId('documents');
      if (offset) list.append(...rows); else list.replaceChildren(...rows);
      this.listed = offset + rows.length;
      this.byId('more').hidden = this.listed >= found.count;
      this.byId('count').textContent = `${word('documents')}: ${found.count}`;
    } catch (error) {
      this.byId('count').textContent = word('failed') + error.message;
    }
  }

  /** What the last months came to, in the currency that most documents have. */
  async total() {
    const figure = this.byId('totals');
    figure.hidden = true;
    let sums;
    try { sums = (await ask('/totals?by=month')).filter((sum) => sum.group && sum.count); } catch { return; }
    const counts = {};
    // Where no currency is known the sums have none.
    for (const sum of sums) counts[sum.currency ??= ''] = (counts[sum.currency] ?? 0) + sum.count;
    const currency = Object.keys(counts).sort((one, other) => counts[other] - counts[one])[0];
    const shown = sums.filter((sum) => sum.currency === currency).slice(-mostMonths);
    if (!shown.length) return;
    const most = Math.max(...shown.map((sum) => Number(sum.total)), 1e-9);
    const width = 360 / mostMonths;
    this.byId('bars').replaceChildren(...shown.map((sum, index) => {
      const bar = window.document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      const height = Math.max(94 * Number(sum.total) / most, 1);
      for (const [name, value] of Object.entries({ x: index * width + 2, y: 96 - height, width: width - 4, height })) bar.setAttribute(name, value);
      const title = window.document.createElementNS('http://www.w3.org/2000/svg', 'title');
      title.textContent = `${sum.group}: ${sum.total} ${currency}`;
      bar.append(title);
      return bar;
    }));
    const words = shown.slice(-3).map((sum) => {
      const part = window.document.createElement('span');
      part.textContent = `${sum.group}: ${Number(sum.total).toFixed(2)} ${currency}`.trim();
      return part;
    });
    this.byId('bars').setAttribute('aria-label', shown.map((sum) => `${sum.group}: ${sum.total} ${currency}`).join('; '));
    this.byId('sums').replaceChildren(...words);
    figure.hidden = false;
  }

  row(document) {
    const row = window.document.createElement('li');
    const button = window.document.createElement('button');
    button.type = 'button';
    const image = new Image();
    image.loading = 'lazy';
    image.alt = '';
    image.src = `/v1/archive/${document.id}/files/thumbnail`;
    const title = window.document.createElement('span');
    title.textContent = document.merchant || document.kind || word('unnamed');
    const facts = window.document.createElement('small');
    facts.textContent = [document.day, [document.total, document.currency].filter(Boolean).join(' ')].filter(Boolean).join(' \u00b7 ');
    button.append(image, title, facts);
    button.addEventListener('click', () => this.read(document.id));
    row.append(button);
    return row;
  }

  async read(id) {
    this.id = id;
    this.show('document');
    this.byId('said').textContent = '';
    await this.act(() => ask(`/${id}`));
  }

  /** Does something to the document, and shows it as it is then. */
  async act(work, done = '') {
    try {
      this.fill(await work());
      this.byId('said').textContent = done;
    } catch (error) {
      this.byId('said').textContent = word('failed') + error.message;
    }
  }

  fill(document) {
    this.document = document;
    this.byId('flat').src = `/v1/archive/${document.id}/files/flat`;
    const own = Object.keys(document.entered).filter((name) => !fieldNames.includes(name));
    this.byId('known').replaceChildren(...[...fieldNames, ...own].map((name) => this.field(name, document)));
    this.byId('tags').value = document.tags.join(', ');
    this.byId('notes').value = document.notes;
    this.byId('print').textContent = document.text || word('noText');
    this.byId('keeps').replaceChildren(...document.files.filter((file) => file.role !== 'thumbnail').map((file) => {
      const link = window.document.createElement('a');
      link.className = 'button';
      link.href = `/v1/archive/${document.id}/files/${file.role}`;
      link.download = file.name;
      link.textContent = word('roles')[file.role];
      return link;
    }));
  }

  field(name, document) {
    const label = window.document.createElement('label');
    const title = window.document.createElement('span');
    title.textContent = word('values')[name] ?? (name === 'kind' ? word('kind') : name);
    const input = window.document.createElement('input');
    input.name = name;
    input.value = document.entered[name] ?? document.read[name]?.text ?? '';
    if (name === 'date') input.type = 'date';
    label.append(title, input);
    return label;
  }

  mend() {
    const values = {};
    for (const input of this.byId('known').querySelectorAll('input')) {
      const { entered, read } = this.document;
      const before = entered[input.name] ?? read[input.name]?.text ?? '';
      // What is emptied goes back to what was read.
      if (input.value !== before) values[input.name] = input.value || null;
    }
    const tags = this.byId('tags').value.split(',').map((tag) => tag.trim()).filter(Boolean);
    return this.act(() => ask(`/${this.id}`, asJSON('PATCH', {
      values, added_tags: tags, removed_tags: this.document.tags.filter((tag) => !tags.includes(tag)), notes: this.byId('notes').value,
    })), word('kept'));
  }

  async remove() {
    if (!confirm(word('sure'))) return;
    try {
      await ask(`/${this.id}`, { method: 'DELETE' });
      this.open();
    } catch (error) {
      this.byId('said').textContent = word('failed') + error.message;
    }
  }

  /** Keeps what a job came to. */
  keep(job) { return ask('', asJSON('POST', { job })); }
}
