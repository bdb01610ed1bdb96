// The app: which page is shown, and what goes to the server.
import { Scanner } from './scan.js';
import { Archive } from './archive.js';
import { Review } from './review.js';
import { word, translate, offerLanguages } from './words.js';

const byId = (id) => document.getElementById(id);
const pages = ['scan', 'work', 'failed', 'review', 'kept', 'document'];

function show(page) {
  for (const id of pages) byId(id).hidden = id !== page;
  if (page !== 'scan') scanner.stop();
  byId('scanner').hidden = !['kept', 'document'].includes(page);
}

/** What the server says of an error, in words. */
async function reason(answer) {
  if (answer.status === 401) { location.href = '/login'; }
  try { return (await answer.json()).detail || answer.statusText; } catch { return answer.statusText; }
}

class Flattening {
  /** Sends a picture and waits for what it comes to. */
  async run(blob, request, tell) {
    this.controller = new AbortController();
    const signal = this.controller.signal;
    const form = new FormData();
    form.append('image', blob, blob.name || 'photo.jpg');
    form.append('request', JSON.stringify({ outputs: ['image.jpg', 'image.png', 'text.txt', 'fields.json', 'receipt.pdf', 'table.csv'], ...(archive.isKept && { find: ['kind'] }), ...request }));
    tell('sending');
    let answer = await fetch('/v1/flatten?async=1', { method: 'POST', body: form, signal });
    if (!answer.ok) throw new Error(await reason(answer));
    let job = await answer.json();
    this.job = job.id;
    while (!['done', 'failed', 'cancelled'].includes(job.state)) {
      tell(job.state);
      answer = await fetch(`/v1/jobs/${job.id}?wait=15`, { signal });
      if (!answer.ok) throw new Error(await reason(answer));
      job = await answer.json();
    }
    if (job.state !== 'done') throw new Error(job.error || job.state);
    tell('loading');
    const output = async (name) => {
      const file = job.outputs.find((o) => o === name) || job.outputs.find((o) => o === name.replace('.', '-1.'));
      if (!file) return null;
      const got = await fetch(`/v1/jobs/${job.id}/${file}`, { signal });
      return got.ok ? got : null;
    };
    const [image, text, fields, report] = await Promise.all(['image.jpg', 'text.txt', 'fields.json', 'report.json'].map(output));
    return {
      job: job.id, outputs: job.outputs, image: await image?.blob(), text: (await text?.text()) ?? '',
      fields: (await fields?.json()) ?? {}, report: (await report?.json()) ?? {},
    };
  }

  cancel() {
    this.controller?.abort();
    if (this.job) fetch(`/v1/jobs/${this.job}`, { method: 'DELETE' }).catch(() => {});
  }
}

let flattening = null;
let sentURL = null;
let job = null;

/** Flattens a picture and shows what came of it. */
async function flatten(blob, request = { look: 'document' }) {
  show('work');
  if (sentURL) URL.revokeObjectURL(sentURL);
  sentURL = URL.createObjectURL(blob);
  byId('sent').src = blob.type.startsWith('image/') || !blob.type ? sentURL : '/icon.svg';
  flattening = new Flattening();
  const own = flattening;
  try {
    const result = await own.run(blob, request, (stage) => { byId('stageWord').textContent = word(stage); });
    if (own !== flattening) return;
    show('review');
    byId('keep').hidden = !archive.isKept;
    byId('keep').disabled = false;
    byId('keep').textContent = word('keep');
    job = result.job;
    await review.show(blob, request, result);
  } catch (error) {
    if (own !== flattening || error.name === 'AbortError') return;
    byId('reason').textContent = error instanceof TypeError ? word('offline') : word('failed') + error.message;
    show('failed');
  }
}

const scanner = new Scanner(byId, (blob) => flatten(blob));
const archive = new Archive(byId, show);
const review = new Review(byId, { again: flatten, next: () => begin() });

function begin() {
  flattening = null;
  show('scan');
  scanner.begin();
}

byId('cancel').addEventListener('click', () => { flattening?.cancel(); begin(); });
byId('again').addEventListener('click', begin);
byId('scanner').addEventListener('click', begin);
byId('keep').addEventListener('click', async () => {
  byId('keep').disabled = true;
  try {
    await archive.keep(job);
    byId('keep').textContent = word('kept');
  } catch (error) {
    byId('keep').disabled = false;
    byId('keep').textContent = word('failed') + error.message;
  }
});
addEventListener('paste', (event) => {
  const file = [...(event.clipboardData?.files ?? [])][0];
  if (file && !byId('scan').hidden) flatten(file);
});

translate();
archive.offer();
offerLanguages(byId('language'), () => review.translate());
begin();
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/worker.js').catch(() => {});
