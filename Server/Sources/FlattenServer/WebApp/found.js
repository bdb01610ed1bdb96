// What else is on the sheet: codes, links and numbers, a contact, the zone of a travel document.
import { word } from './words.js';

/** Addresses that a person may follow. */
const addresses = /^(https?:\/\/|mailto:|tel:)/i;
const schemes = { url: '', email: 'mailto:', phone: 'tel:' };
/** What is below this confidence is to be looked at. */
const doubtful = 0.8;
const zoneKeys = ['surname', 'given_names', 'number', 'nationality', 'birth_date', 'age', 'expiry_date'];

/** Where an item leads; nothing for one that leads nowhere. */
function target(kind, value) {
  if (!(kind in schemes)) return '';
  const address = schemes[kind] + (kind === 'phone' ? value.replace(/[^+\d]/g, '') : value);
  return addresses.test(address) ? address : kind === 'url' ? `https://${value}` : '';
}

/** Groups of what a report says was found: a heading, and rows of name, text, address and place. */
function groups(report) {
  const named = word('finds');
  const place = (thing) => thing.polygon?.flat;
  const doubt = (thing) => (thing.confidence < doubtful ? ` \u2013 ${word('doubtful')}` : '');
  const codes = (report.codes ?? []).map((code) => ({
    name: code.symbology, text: code.text ?? '\u2026', href: addresses.test(code.text ?? '') ? code.text : '', place: place(code),
  }));
  // Prices stand among the values.
  const items = (report.items ?? []).filter((item) => item.kind !== 'price').map((item) => ({
    name: named[item.kind] ?? item.kind, text: [item.value, item.currency].filter(Boolean).join(' '), href: target(item.kind, item.value), place: place(item),
  }));
  const { contact, mrz } = report;
  const card = contact ? [
    ...contact.names.map((name) => ['name', name.full, name]),
    ...['organisation', 'title'].filter((key) => contact[key]).map((key) => [key, contact[key].value, contact[key]]),
    ...contact.phones.map((phone) => [phone.kind ?? 'phone', phone.value, phone, 'phone']),
    ...contact.emails.map((email) => ['email', email.value, email, 'email']),
    ...contact.urls.map((url) => ['web', url.value, url, 'url']),
    ...(contact.address ? [['address', contact.address.full, contact.address]] : []),
  ].map(([key, text, thing, kind]) => ({
    name: word('contact')[key] ?? word('values')[key] ?? named[key] ?? key, text: text + doubt(thing), href: target(kind, text), place: place(thing),
  })) : [];
  const zone = mrz ? zoneKeys.filter((key) => mrz[key] != null).map((key) => ({
    name: named[key], text: String(key === 'nationality' && mrz.nationality_name || mrz[key]) + doubt(mrz) + (key === 'expiry_date' && mrz.expired ? ` \u2013 ${named.expired}` : ''), place: place(mrz),
  })) : [];
  return [['codes', codes], ['items', items], ['contact', card], ['mrz', zone]].filter(([, rows]) => rows.length);
}

/** Shows what was found; a tap on a row shows its place on the image. */
export function showFound(report, panel, show) {
  const parts = groups(report).map(([key, rows]) => {
    const section = document.createElement('section');
    const head = document.createElement('h2');
    head.textContent = word('looksFor')[key];
    const list = document.createElement('ul');
    list.className = 'rows';
    list.append(...rows.map((row) => {
      const line = document.createElement('li');
      const name = document.createElement(row.place ? 'button' : 'span');
      name.textContent = row.name;
      if (row.place) {
        name.type = 'button';
        name.setAttribute('aria-label', `${row.name}: ${row.text}`);
        name.addEventListener('click', () => show(row.place));
      }
      const text = document.createElement(row.href ? 'a' : 'span');
      text.textContent = row.text;
      if (row.href) Object.assign(text, { href: row.href, target: '_blank', rel: 'noopener noreferrer' });
      line.append(name, text);
      return line;
    }));
    section.append(head, list);
    return section;
  });
  if (!parts.length) {
    const none = document.createElement('p');
    none.textContent = word('nothingFound');
    parts.push(none);
  }
  panel.replaceChildren(...parts);
}
