// The archive: what was kept, found by words, shown and mended.
import { word } from './words.js';
import { choices, pressed } from './review.js';

const [pageSize, mostMonths] = [30, 12];
const fieldNames = ['merchant', 'date', 'total', 'currency', 'category', 'kind'];
const contactNames = ['name', 'organisation', 'title', 'phone', 'mobile', 'email', 'web', 'address', 'kind'];
/** What lists are limited to. */
const sorts = ['', 'receipt', 'invoice', 'business_card'];

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
    byId('sort').addEventListener('change', () => { this.list(); this.total(); });
    byId('twins').addEventListener('click', () => this.group());
    byId('back').addEventListener('click', () => this.open());
    byId('mend').addEventListener('submit', (event) => { event.preventDefault(); this.mend(); });
    byId('undo').addEventListener('click', () => this.act(() => ask(`/${this.id}/undo`, { method: 'POST' })));
    byId('remove').addEventListener('click', () => this.remove());
  }

  /** Offers the archive where the server keeps one. @param can what it says of itself */
  offer(can) {
    this.isKept = can.archive;
    this.byId('archive').hidden = !this.isKept;
  }

  /** How large it is, in words. */
  async usage() {
    const place = this.byId('usage');
    place.hidden = true;
    if (!this.isKept) return;
    const { documents, bytes } = await ask('/usage');
    const megabytes = new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
    place.textContent = `${word('archive')}: ${documents} ${word('documents')}, ${megabytes.format(bytes / 1e6)}`;
    place.hidden = false;
  }

  open() {
    this.show('kept');
    const sort = this.byId('sort');
    const chosen = sort.value;
    sort.replaceChildren(...sorts.map((kind) => new Option(word('sorts')[kind] ?? kind, kind, false, kind === chosen)));
    this.list();
    this.total();
  }

  /** What is asked for, as the server takes it. */
  get asked() {
    const kind = this.byId('sort').value;
    const asked = new URLSearchParams({ words: this.byId('find').value, kind });
    if (kind === 'business_card') asked.set('order', 'name');
    return asked;
  }

  /** Shows documents from a place on. */
  async list(offset = 0) {
    const asked = this.asked;
    const turn = this.turn = {};
    this.byId('groups').hidden = true;
    this.byId('documents').hidden = false;
    this.byId('table').href = `/v1/archive/documents.csv?${asked}`;
    this.byId('cards').href = `/v1/archive/contacts.vcf?${asked}`;
    this.byId('cards').hidden = this.byId('sort').value !== 'business_card';
    try {
      const found = await ask(`?limit=${pageSize}&offset=${offset}&${asked}`);
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

  /** Documents that most likely show the same paper, each group to be made one. */
  async group() {
    const turn = this.turn = {};
    let groups;
    try { groups = await ask('/duplicates'); } catch (error) {
      this.byId('count').textContent = word('failed') + error.message;
      return;
    }
    if (turn !== this.turn) return;
    this.byId('documents').hidden = true;
    this.byId('more').hidden = true;
    this.byId('groups').hidden = false;
    this.byId('count').textContent = groups.length ? `${word('twins')}: ${groups.length}` : word('noTwins');
    this.byId('groups').replaceChildren(...groups.map((documents) => {
      const section = window.document.createElement('section');
      const list = window.document.createElement('ul');
      list.className = 'documents';
      list.append(...documents.map((document) => this.row(document)));
      const merge = window.document.createElement('button');
      merge.type = 'button';
      merge.textContent = word('makeOne');
      merge.addEventListener('click', async () => {
        merge.disabled = true;
        try {
          await ask('/merge', asJSON('POST', { ids: documents.map((document) => document.id) }));
          await this.group();
        } catch (error) {
          merge.disabled = false;
          this.byId('count').textContent = word('failed') + error.message;
        }
      });
      section.append(list, merge);
      return section;
    }));
  }

  /** What the last months came to, in the currency that most documents have. */
  async total() {
    const figure = this.byId('totals');
    figure.hidden = true;
    // Cards come to no sum.
    if (this.byId('sort').value === 'business_card') return;
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
    try {
      const kinds = (await ask('/totals?by=category')).filter((sum) => sum.group && sum.count && (sum.currency ?? '') === currency);
      kinds.sort((one, other) => other.total - one.total);
      this.byId('categories').textContent = kinds.map((sum) => `${word('categories')[sum.group] ?? sum.group} ${Number(sum.total).toFixed(2)}`).join(' \u00b7 ');
    } catch { this.byId('categories').textContent = ''; }
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
    title.textContent = document.name || document.merchant || document.kind || word('unnamed');
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
    const turnTo = (number) => {
      this.byId('flat').src = `/v1/archive/${document.id}/files/flat?number=${number}`;
      pressed(this.byId('sheets'), number);
    };
    this.byId('sheets').replaceChildren(...choices(document.files.filter((file) => file.role === 'flat').length, turnTo));
    turnTo(1);
    const isCard = (document.entered.kind ?? document.read.kind?.text) === 'business_card';
    const names = isCard ? contactNames : fieldNames;
    const own = Object.keys(document.entered).filter((name) => !names.includes(name));
    this.byId('known').replaceChildren(...[...names, ...own].map((name) => this.field(name, document)));
    this.byId('tags').value = document.tags.join(', ');
    this.byId('notes').value = document.notes;
    this.byId('print').textContent = document.text || word('noText');
    const link = (href, name, label) => {
      const link = window.document.createElement('a');
      Object.assign(link, { className: 'button', href, download: name, textContent: label });
      return link;
    };
    const counts = {};
    const links = document.files.filter((file) => file.role !== 'thumbnail').map((file) => {
      const number = counts[file.role] = (counts[file.role] ?? 0) + 1;
      return link(`/v1/archive/${document.id}/files/${file.role}?number=${number}`, file.name, word('roles')[file.role] + (number > 1 ? ` ${number}` : ''));
    });
    if (isCard) links.push(link(`/v1/archive/${document.id}/contact.vcf`, 'contact.vcf', 'vCard'));
    this.byId('keeps').replaceChildren(...links);
  }

  field(name, document) {
    const label = window.document.createElement('label');
    const title = window.document.createElement('span');
    title.textContent = word('values')[name] ?? word('contact')[name] ?? (name === 'kind' ? word('kind') : name);
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

  /** Keeps what a job came to, with what a person entered. */
  keep(job, values) { return ask('', asJSON('POST', { job, values })); }
}
