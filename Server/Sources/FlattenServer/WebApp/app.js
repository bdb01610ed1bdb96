// The app: which page is shown, and what goes to the server.
import { Scanner } from './scan.js';
import { Archive } from './archive.js';
import { Review } from './review.js';
import { Settings } from './settings.js';
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

const isOver = (job) => ['done', 'failed', 'cancelled'].includes(job.state);

/** What is being done, in words. */
function activity(state, progress) {
  const page = progress?.pages ? `${word('page')} ${progress.page}/${progress.pages}: ` : '';
  const stage = progress && word('stages.' + progress.stage);
  byId('progress').removeAttribute('value');
  if (progress?.share != null) byId('progress').value = progress.share;
  return page + (stage && !stage.startsWith('stages.') ? stage : word(state));
}

/** Says what is done, once. */
function tell(words) {
  if (byId('stageWord').textContent !== words) byId('stageWord').textContent = words;
}

class Flattening {
  /** Sends the pages of a document, one or several, and waits for what they come to. */
  async run(blobs, request, tell) {
    this.controller = new AbortController();
    const signal = this.controller.signal;
    const form = new FormData();
    for (const blob of blobs) form.append('image', blob, blob.name || 'photo.jpg');
    const outputs = ['image.jpg', 'image.png', 'text.txt', 'text.json', 'fields.json', 'receipt.pdf', 'document.pdf', 'table.csv', 'mesh.glb'];
    form.append('request', JSON.stringify({ outputs, ...request }));
    tell('sending');
    let answer = await fetch('/v1/flatten?async=1', { method: 'POST', body: form, signal });
    if (!answer.ok) throw new Error(await reason(answer));
    let job = await answer.json();
    this.job = job.id;
    job = await this.watch(job, tell);
    while (!isOver(job)) {
      tell(job.state, job.progress);
      answer = await fetch(`/v1/jobs/${job.id}?wait=15`, { signal });
      if (!answer.ok) throw new Error(await reason(answer));
      job = await answer.json();
    }
    if (job.state !== 'done') throw new Error(job.error || job.state);
    tell('loading');
    return { job: job.id, outputs: job.outputs, pages: job.outputs.filter((o) => /^report(-\d+)?\.json$/.test(o)).length };
  }

  /** Follows a job to its end, or as far as its events come: something between may not pass them on. */
  watch(job, tell) {
    return new Promise((resolve) => {
      const events = new EventSource(`/v1/jobs/${job.id}`);
      const end = () => { events.close(); resolve(job); };
      this.controller.signal.addEventListener('abort', end);
      events.onerror = end;
      events.addEventListener('status', (event) => {
        job = JSON.parse(event.data);
        tell(job.state, job.progress);
        if (isOver(job)) end();
      });
    });
  }

  cancel() {
    this.controller?.abort();
    if (this.job) fetch(`/v1/jobs/${this.job}`, { method: 'DELETE' }).catch(() => {});
  }
}

let flattening = null;
let sentURL = null;
let job = null;
/** The document that the job was kept as. */
let keptDocument = null;

/** The pages that another one is to be added to, and what was asked for them. */
let [begun, begunRequest] = [[], {}];

/** Flattens the pages of a document, one or several, and shows what came of them. */
async function flatten(taken, request) {
  const blobs = request ? taken : [...begun, ...taken];
  // Whoever adds page after page means one document.
  request ??= { ...settings.request(), ...(begun.length && { ...begunRequest, join_pages: 'all' }) };
  const blob = blobs[blobs.length - 1];
  show('work');
  if (sentURL) URL.revokeObjectURL(sentURL);
  sentURL = URL.createObjectURL(blob);
  byId('sent').src = blob.type.startsWith('image/') || !blob.type ? sentURL : '/icon.svg';
  flattening = new Flattening();
  const own = flattening;
  try {
    const result = await own.run(blobs, request, (state, progress) => { if (own === flattening) tell(activity(state, progress)); });
    if (own !== flattening) return;
    // It is over, and what it made stays.
    flattening = null;
    show('review');
    byId('keep').hidden = !archive.isKept;
    byId('keep').disabled = false;
    label('keep');
    [job, keptDocument] = [result.job, null];
    begun = [];
    await review.show(blobs, request, result);
  } catch (error) {
    if (flattening && own !== flattening || error.name === 'AbortError') return;
    byId('reason').textContent = error instanceof TypeError ? word('offline') : word('failed') + error.message;
    // What was set there may be why.
    if (/--(?:country|find)/.test(error.message)) byId('settings').closest('details').open = true;
    show('failed');
  }
}

const scanner = new Scanner(byId, (blobs) => flatten(blobs), () => settings.hidesFaces);
/** What the button says that keeps a document, and then opens it, in any language. */
function label(key) {
  byId('keep').dataset.word = key;
  byId('keep').textContent = word(key);
  byId('keepSaid').textContent = '';
}

const settings = new Settings(byId);
const archive = new Archive(byId, show);
byId('settings').closest('details').addEventListener('toggle', (event) => {
  if (event.target.open) archive.usage().catch(() => { /* It is an aside. */ });
});
const review = new Review(byId, { again: flatten, next: () => begin(), more: (blobs, request) => begin(blobs, request) });

/** @param pages those of a document that another page is to be added to @param request what was asked for them */
function begin(pages = [], request = {}) {
  flattening?.cancel();
  flattening = null;
  [begun, begunRequest] = [pages, request];
  byId('pageNote').hidden = !pages.length;
  byId('pageWord').textContent = `${word('page')} ${pages.length + 1}`;
  show('scan');
  scanner.begin();
}

byId('cancel').addEventListener('click', () => begin(begun, begunRequest));
byId('again').addEventListener('click', () => begin(begun, begunRequest));
byId('scanner').addEventListener('click', () => begin());
byId('noMore').addEventListener('click', () => begin());
byId('keep').addEventListener('click', async () => {
  if (keptDocument) return archive.read(keptDocument);
  byId('keep').disabled = true;
  byId('keepSaid').textContent = '';
  try {
    const [first] = await archive.keep(job, review.entered);
    keptDocument = first.id;
    review.lock();
    label('openKept');
  } catch (error) {
    byId('keepSaid').textContent = word('failed') + error.message;
  }
  byId('keep').disabled = false;
});
addEventListener('paste', (event) => {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length && !byId('scan').hidden) flatten(files);
});

translate();
offerLanguages(byId('language'), () => { review.translate(); settings.translate(); });
fetch('/v1/capabilities').then(async (answer) => {
  if (!answer.ok) return;
  const can = await answer.json();
  archive.offer(can);
  settings.offer(can);
}).catch(() => { /* Without the server there is nothing to offer. */ });
begin();
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/worker.js').catch(() => {});
