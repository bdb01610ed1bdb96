// What a person wishes for every picture: looked for, shown as, the country. Kept by the browser.

/** What is looked for unless a person says otherwise: codes and zones take as long as all else, and codes need libraries. */
const usual = { codes: false, items: true, contact: true, mrz: false, look: 'document', country: '' };
const contents = ['codes', 'items', 'contact', 'mrz'];

function kept() {
  try { return { ...usual, ...JSON.parse(localStorage.getItem('settings') ?? '{}') }; } catch { return usual; }
}

export class Settings {
  constructor(byId) {
    this.values = kept();
    const form = byId('settings');
    form.addEventListener('submit', (event) => event.preventDefault());
    for (const input of form.querySelectorAll('input, select')) {
      if (input.type === 'checkbox') input.checked = this.values[input.name];
      else input.value = this.values[input.name];
      input.addEventListener('change', () => this.take(input));
    }
  }

  take(input) {
    if (!input.reportValidity()) return;
    const value = input.name === 'country' ? input.value.toUpperCase() : input.value;
    this.values[input.name] = input.type === 'checkbox' ? input.checked : value;
    localStorage.setItem('settings', JSON.stringify(this.values));
  }

  /** What the server is asked for. */
  request() {
    const { look, country } = this.values;
    // The kind tells an archive what it keeps.
    const find = ['kind', ...contents.filter((name) => this.values[name])];
    return { look, find, ...(country && { country }) };
  }
}
