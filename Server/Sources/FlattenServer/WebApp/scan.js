// The camera: live outline and advice from the server, and the picture taken when all is well.
import { word } from './words.js';

/** Frames are sent this wide: enough to follow a sheet, little to send. */
const frameWidth = 640;
/** How many frames in a row must be ready before the picture is taken by itself. */
const readyFrames = 3;

export class Scanner {
  constructor(byId, take) {
    this.byId = byId;
    this.take = take;
    this.canvas = document.createElement('canvas');
    byId('start').addEventListener('click', () => this.open());
    byId('shutter').addEventListener('click', () => this.shoot());
    byId('torch').addEventListener('click', () => this.switchTorch());
    byId('file').addEventListener('change', (event) => {
      const file = event.target.files[0];
      event.target.value = '';
      if (file) this.take(file);
    });
    const drop = byId('drop');
    for (const type of ['dragover', 'dragleave', 'drop']) {
      drop.addEventListener(type, (event) => {
        event.preventDefault();
        drop.classList.toggle('over', type === 'dragover');
        if (type === 'drop' && event.dataTransfer.files[0]) this.take(event.dataTransfer.files[0]);
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
    this.byId('torch').hidden = !this.track.getCapabilities?.().torch;
    this.isOpen = true;
    this.ready = 0;
    this.follow();
  }

  stop() {
    this.isOpen = false;
    this.stream?.getTracks().forEach((track) => track.stop());
    this.stream = null;
    if (this.session) fetch(`/v1/live/${this.session}`, { method: 'DELETE', keepalive: true }).catch(() => {});
    this.session = null;
    this.draw(null);
  }

  async switchTorch() {
    const button = this.byId('torch');
    const isOn = button.getAttribute('aria-pressed') !== 'true';
    try {
      await this.track.applyConstraints({ advanced: [{ torch: isOn }] });
      button.setAttribute('aria-pressed', String(isOn));
    } catch { button.hidden = true; }
  }

  /** A frame after the other goes to the server, the next when the last is answered. */
  async follow() {
    const stream = this.stream;
    while (this.isOpen && this.stream === stream) {
      const begun = performance.now();
      try {
        if (!this.session) {
          const answer = await fetch('/v1/live', { method: 'POST' });
          if (!answer.ok) throw new Error();
          this.session = (await answer.json()).id;
        }
        const frame = await this.picture(frameWidth, 0.7);
        const answer = await fetch(`/v1/live/${this.session}/frame?t=${Math.round(begun)}`, { method: 'POST', body: frame });
        if (answer.status === 404 || answer.status === 410) { this.session = null; continue; }
        if (answer.ok && this.isOpen && this.stream === stream) this.see(await answer.json());
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
    this.ready = key === 'ready' ? this.ready + 1 : 0;
    if (this.ready >= readyFrames && this.byId('automatic').checked) this.shoot();
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
    if (!guidance?.outline?.length) return;
    const [outer, inner] = [stage.getBoundingClientRect(), video.getBoundingClientRect()];
    const factor = (inner.width / guidance.width) * scale;
    const place = ([x, y]) => [(inner.left - outer.left) * scale + (x + .5) * factor, (inner.top - outer.top) * scale + (y + .5) * factor];
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

  /** The video's picture as a JPEG. */
  picture(width, quality) {
    const video = this.byId('video');
    const factor = Math.min(1, width / video.videoWidth);
    this.canvas.width = Math.round(video.videoWidth * factor);
    this.canvas.height = Math.round(video.videoHeight * factor);
    this.canvas.getContext('2d').drawImage(video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((done) => this.canvas.toBlob(done, 'image/jpeg', quality));
  }

  async shoot() {
    if (!this.isOpen) return;
    this.isOpen = false;
    let blob;
    try {
      // The camera's own picture, where the browser takes one: larger than the video's.
      blob = await new ImageCapture(this.track).takePhoto();
    } catch {
      blob = await this.picture(Infinity, 0.92);
    }
    this.take(blob);
  }
}
