// The camera: live outline and advice from the server, and the picture taken when all is well.
import { word } from './words.js';

/** Frames are sent this wide: enough to follow a sheet, little to send. */
const frameWidth = 640;
/** How many frames in a row must be ready before the picture is taken by itself, and how many are taken then, of which the sharpest counts. */
const [readyFrames, shots] = [3, 3];
/** What is marked in view, where that is wished for, and how many of it are listed. */
const [marked, mostListed] = ['code,item', 12];
/** Addresses that a person may follow. */
const addresses = /^(https?:\/\/|mailto:|tel:)/i;

/** How sharp a picture is: what its rows and columns differ by, seen 640 pixels wide. */
async function sharpness(blob) {
  const picture = await createImageBitmap(blob, { resizeWidth: 640 });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
  let sum = 0;
  for (let at = 4 * width + 5; at < data.length; at += 4) sum += (data[at] - data[at - 4]) ** 2 + (data[at] - data[at - 4 * width]) ** 2;
  return sum / data.length;
}

export class Scanner {
  /** @param hidesFaces tells whether faces are black in what the camera shows */
  constructor(byId, take, hidesFaces) {
    this.byId = byId;
    this.take = take;
    this.hidesFaces = hidesFaces;
    byId('capture').value = localStorage.getItem('capture') || 'automatic';
    byId('capture').addEventListener('change', (event) => {
      localStorage.setItem('capture', event.target.value);
      byId('shutter').disabled = false;
    });
    byId('zoom').addEventListener('input', (event) => this.constrain({ zoom: Number(event.target.value) }));
    this.canvas = document.createElement('canvas');
    byId('start').addEventListener('click', () => this.open());
    byId('shutter').addEventListener('click', () => this.shoot());
    byId('torch').addEventListener('click', () => this.switchTorch());
    byId('marks').checked = localStorage.getItem('marks') === 'true';
    byId('marks').addEventListener('change', (event) => {
      localStorage.setItem('marks', event.target.checked);
      // Another session follows other things; the loop of frames begins it, so that no frame goes to one that is gone.
      this.isOutdated = true;
      this.list([]);
    });
    byId('stage').addEventListener('click', (event) => this.tap(event));
    this.listed = new Map();
    byId('file').addEventListener('change', (event) => {
      // A copy: the list is emptied with the field.
      const files = [...event.target.files];
      event.target.value = '';
      if (files.length) this.take(files);
    });
    const drop = byId('drop');
    for (const type of ['dragover', 'dragleave', 'drop']) {
      drop.addEventListener(type, (event) => {
        event.preventDefault();
        drop.classList.toggle('over', type === 'dragover');
        if (type === 'drop' && event.dataTransfer.files.length) this.take([...event.dataTransfer.files]);
      });
    }
  }

  /** Opens the camera at once where it was allowed before. */
  async begin() {
    this.byId('ask').hidden = false;
    this.byId('camera').hidden = true;
    this.byId('refused').hidden = true;
    if (!navigator.mediaDevices?.getUserMedia) return this.refuse('noCamera');
    try {
      const state = await navigator.permissions.query({ name: 'camera' });
      if (state.state === 'granted') await this.open();
    } catch { /* Some browsers do not tell. */ }
  }

  refuse(key) {
    const place = this.byId('refused');
    place.textContent = word(key);
    place.hidden = false;
  }

  async open() {
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        audio: false, video: { facingMode: 'environment', width: { ideal: 4096 }, height: { ideal: 3072 } },
      });
    } catch (error) {
      return this.refuse(error.name === 'NotAllowedError' ? 'refusedCamera' : 'noCamera');
    }
    const video = this.byId('video');
    video.srcObject = this.stream;
    await video.play();
    this.byId('ask').hidden = true;
    this.byId('camera').hidden = false;
    this.track = this.stream.getVideoTracks()[0];
    const can = this.track.getCapabilities?.() ?? {};
    this.byId('torch').hidden = !can.torch;
    this.byId('zooming').hidden = !can.zoom;
    if (can.zoom) Object.assign(this.byId('zoom'), { min: can.zoom.min, max: can.zoom.max, step: can.zoom.step || 'any', value: this.track.getSettings().zoom });
    this.isOpen = true;
    this.ready = 0;
    this.follow();
  }

  stop() {
    this.isOpen = false;
    this.stream?.getTracks().forEach((track) => track.stop());
    this.stream = null;
    this.endSession();
    this.draw(null);
    this.list([]);
  }

  /** The next frame begins another one. */
  endSession() {
    if (this.session) fetch(`/v1/live/${this.session}`, { method: 'DELETE', keepalive: true }).catch(() => {});
    this.session = null;
  }

  async switchTorch() {
    const button = this.byId('torch');
    const isOn = button.getAttribute('aria-pressed') !== 'true';
    try {
      await this.track.applyConstraints({ advanced: [{ torch: isOn }] });
      button.setAttribute('aria-pressed', String(isOn));
    } catch { button.hidden = true; }
  }

  /** Has the camera do something, if it can. */
  async constrain(wish) {
    try { await this.track.applyConstraints({ advanced: [wish] }); } catch { /* It cannot, and goes on as it is. */ }
  }

  /** What is followed in view besides the sheet. */
  get followed() {
    return [this.byId('marks').checked && marked, this.hidesFaces() && 'face'].filter(Boolean).join(',');
  }

  /** A frame after the other goes to the server, the next when the last is answered. */
  async follow() {
    const stream = this.stream;
    while (this.isOpen && this.stream === stream) {
      const begun = performance.now();
      try {
        if (this.isOutdated) this.endSession();
        this.isOutdated = false;
        if (!this.session) {
          const answer = await fetch(this.followed ? `/v1/live?follow=${this.followed}` : '/v1/live', { method: 'POST' });
          if (!answer.ok) throw new Error();
          this.session = (await answer.json()).id;
        }
        const frame = await this.picture(frameWidth, 0.7);
        const answer = await fetch(`/v1/live/${this.session}/frame?t=${Math.round(begun)}`, { method: 'POST', body: frame });
        if (answer.status === 404 || answer.status === 410) { this.session = null; continue; }
        if (answer.ok && this.isOpen && this.stream === stream && !this.isOutdated) this.see(await answer.json());
      } catch {
        if (!this.isOpen) return;
        this.byId('advice').textContent = word('offline');
        await new Promise((done) => setTimeout(done, 1500));
      }
      const left = 66 - (performance.now() - begun);
      if (left > 0) await new Promise((done) => setTimeout(done, left));
    }
  }

  see(guidance) {
    const key = guidance.advice;
    const sure = guidance.confidence == null ? '' : ` ${Math.round(100 * guidance.confidence)} %`;
    this.byId('advice').textContent = (word('advice')[key] ?? key) + sure;
    this.draw(guidance);
    if (guidance.not_followed) this.byId('advice').textContent += ` ${word('notFollowed')}`;
    this.list(guidance.items ?? []);
    this.ready = key === 'ready' ? this.ready + 1 : 0;
    const capture = this.byId('capture').value;
    this.byId('shutter').disabled = capture === 'assisted' && (!guidance.outline?.length || ['noSheet', 'cutOff'].includes(key));
    if (this.ready >= readyFrames && capture === 'automatic') this.shoot(shots);
  }

  /** The outline with its corners over the picture, where the browser shows it. */
  draw(guidance) {
    const canvas = this.byId('outline');
    const [video, stage] = [this.byId('video'), canvas.parentElement];
    const scale = devicePixelRatio || 1;
    canvas.width = stage.clientWidth * scale;
    canvas.height = stage.clientHeight * scale;
    const context = canvas.getContext('2d');
    context.clearRect(0, 0, canvas.width, canvas.height);
    this.seen = guidance;
    if (!guidance) return;
    const [outer, inner] = [stage.getBoundingClientRect(), video.getBoundingClientRect()];
    const factor = (inner.width / guidance.width) * scale;
    const place = ([x, y]) => [(inner.left - outer.left) * scale + (x + .5) * factor, (inner.top - outer.top) * scale + (y + .5) * factor];
    context.strokeStyle = '#6ec3ff';
    context.lineWidth = 2 * scale;
    for (const item of guidance.items ?? []) {
      context.beginPath();
      item.corners.forEach((point, index) => context[index ? 'lineTo' : 'moveTo'](...place(point)));
      context.closePath();
      const isHidden = item.kind === 'face';
      context.fillStyle = isHidden ? '#000' : 'rgba(110, 195, 255, .25)';
      context.fill();
      if (!isHidden) context.stroke();
    }
    if (!guidance.outline?.length) return;
    const colour = guidance.advice === 'ready' ? '#3fdc8a' : '#ffd24a';
    context.strokeStyle = colour;
    context.lineWidth = 4 * scale;
    context.lineJoin = 'round';
    context.beginPath();
    guidance.outline.forEach((point, index) => context[index ? 'lineTo' : 'moveTo'](...place(point)));
    context.closePath();
    context.stroke();
    context.fillStyle = colour;
    for (const corner of guidance.corners ?? []) {
      context.beginPath();
      context.arc(...place(corner), 8 * scale, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** What is marked, as things to follow or to copy; each keeps its element while it is in view. */
  list(items) {
    const place = this.byId('found');
    const shown = items.filter((item) => item.text).slice(0, mostListed);
    for (const [id, element] of this.listed) {
      if (!shown.some((item) => item.id === id)) { element.remove(); this.listed.delete(id); }
    }
    for (const item of shown) {
      const known = this.listed.get(item.id);
      if (known?.dataset.text === item.text) continue;
      const entry = document.createElement('li');
      entry.dataset.text = item.text;
      entry.append(this.action(item));
      if (known) known.replaceWith(entry); else place.append(entry);
      this.listed.set(item.id, entry);
    }
    place.hidden = !shown.length;
  }

  /** A link for what is one, for all else a button that copies it. */
  action(item) {
    const target = { email: `mailto:${item.text}`, phone: `tel:${item.text}` }[item.what] ?? item.text;
    const element = document.createElement(addresses.test(target) ? 'a' : 'button');
    if (element.href !== undefined) {
      Object.assign(element, { href: target, target: '_blank', rel: 'noopener noreferrer', className: 'button' });
    } else {
      element.type = 'button';
      element.addEventListener('click', async () => {
        try { await navigator.clipboard.writeText(item.text); element.textContent = word('copied'); } catch { /* It stays to be read. */ }
        setTimeout(() => { element.textContent = item.text; }, 1500);
      });
    }
    element.textContent = item.text;
    return element;
  }

  /** A tap on what is marked chooses it in the list; another has the camera look sharply there. */
  tap(event) {
    const inner = this.byId('video').getBoundingClientRect();
    const factor = (this.seen?.width ?? 0) / inner.width;
    const [x, y] = [(event.clientX - inner.left) * factor, (event.clientY - inner.top) * factor];
    const inside = ({ corners }) => corners.reduce((is, [ax, ay], index) => {
      const [bx, by] = corners[(index + 1) % corners.length];
      return (ay > y) !== (by > y) && x < ax + ((y - ay) / (by - ay)) * (bx - ax) ? !is : is;
    }, false);
    const item = this.seen?.items?.find((item) => this.listed.has(item.id) && inside(item));
    if (!item && this.track) {
      const point = { x: (event.clientX - inner.left) / inner.width, y: (event.clientY - inner.top) / inner.height };
      this.constrain({ pointsOfInterest: [point], focusMode: 'single-shot' });
    }
    for (const [id, entry] of this.listed) {
      entry.firstChild.classList.toggle('tapped', id === item?.id);
      if (id === item?.id) entry.firstChild.focus();
    }
  }

  /** The video's picture as a JPEG. */
  picture(width, quality) {
    const video = this.byId('video');
    const factor = Math.min(1, width / video.videoWidth);
    this.canvas.width = Math.round(video.videoWidth * factor);
    this.canvas.height = Math.round(video.videoHeight * factor);
    this.canvas.getContext('2d').drawImage(video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((done) => this.canvas.toBlob(done, 'image/jpeg', quality));
  }

  /** The camera's own picture, where the browser takes one: larger than the video's. */
  async photograph() {
    try {
      return await new ImageCapture(this.track).takePhoto();
    } catch {
      return this.picture(Infinity, 0.92);
    }
  }

  /** Takes the picture, or the sharpest of several. */
  async shoot(count = 1) {
    if (!this.isOpen) return;
    this.isOpen = false;
    const stream = this.stream;
    let best = { blob: await this.photograph(), score: 0 };
    for (let taken = 1; taken < count && this.stream === stream; taken++) {
      if (taken === 1) best.score = await sharpness(best.blob).catch(() => Infinity);
      const blob = await this.photograph();
      const score = await sharpness(blob).catch(() => 0);
      if (score > best.score) best = { blob, score };
    }
    // A person may have gone elsewhere meanwhile.
    if (this.stream === stream) this.take([best.blob]);
  }
}
