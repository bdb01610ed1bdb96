// What a person wishes for every picture: looked for, shown as, hidden, the country. Kept by the browser.
import { word } from './words.js';

/** What is looked for unless a person says otherwise: codes and zones take as long as all else, and codes need libraries. */
const usual = {
  codes: false, items: true, contact: true, mrz: false, look: 'document', country: '',
  'hide-cards': false, 'hide-names': false, 'hide-phones': false, 'hide-emails': false, 'hide-faces': false,
};
const contents = ['codes', 'items', 'contact', 'mrz'];
const hidden = ['cards', 'names', 'phones', 'emails', 'faces'];

function kept() {
  try { return { ...usual, ...JSON.parse(localStorage.getItem('settings') ?? '{}') }; } catch { return usual; }
}

export class Settings {
  constructor(byId) {
    this.values = kept();
    const form = this.form = byId('settings');
    form.addEventListener('submit', (event) => event.preventDefault());
    for (const input of form.querySelectorAll('input, select')) {
      if (input.type === 'checkbox') input.checked = this.values[input.name];
      else input.value = this.values[input.name];
      input.addEventListener('change', () => this.take(input));
    }
  }

  take(input) {
    this.values[input.name] = input.type === 'checkbox' ? input.checked : input.value;
    localStorage.setItem('settings', JSON.stringify(this.values));
  }

  /** Offers what the server can do. @param can what it says of itself */
  offer(can) {
    this.can = can;
    for (const name of contents) this.form.elements[name].disabled = !can.find.includes(name);
    const canHideFaces = can.find.includes('faces');
    for (const input of document.querySelectorAll('[name=hide-faces], [name=redact][value=faces]')) input.closest('label').hidden = !canHideFaces;
    // One that an earlier version took.
    if (!can.countries.includes(this.values.country)) this.values.country = '';
    this.translate();
  }

  /** The countries by their names in the language that is shown. */
  translate() {
    for (const name of contents) {
      const label = this.form.elements[name].closest('label').lastElementChild;
      label.textContent = word(label.dataset.word) + (this.form.elements[name].disabled ? ` (${word('notHere')})` : '');
    }
    const names = new Intl.DisplayNames([document.documentElement.lang], { type: 'region' });
    const options = (this.can?.countries ?? []).map((code) => [code, names.of(code) ?? code]).sort((a, b) => a[1].localeCompare(b[1]));
    const { country } = this.values;
    this.form.elements.country.replaceChildren(
      new Option('–', ''), ...options.map(([code, name]) => new Option(name, code, false, code === country)));
  }

  /** Whether faces are black in what the camera shows, too. */
  get hidesFaces() { return this.values['hide-faces'] && this.can?.find.includes('faces') === true; }

  /** What the server is asked for. */
  request() {
    const { look, country } = this.values;
    // The kind tells an archive what it keeps.
    const find = ['kind', ...contents.filter((name) => this.values[name] && this.can?.find.includes(name) !== false)];
    const redact = hidden.filter((name) => this.values['hide-' + name] && (name !== 'faces' || this.can?.find.includes(name) !== false));
    return { look, find, ...(country && { country }), ...(redact.length && { redact }) };
  }
}
