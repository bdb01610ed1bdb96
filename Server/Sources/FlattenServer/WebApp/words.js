// What people read, a language each. Another language is another entry.
const words = {
  en: {
    name: 'English', language: 'Language', why: 'The camera is used to see the receipt: where it lies, when it is sharp. Frames go to this server only, and none is kept.',
    start: 'Use the camera', refusedCamera: 'The camera may not be used. Allow it in the browser\u2019s settings for this page, or choose a picture below.',
    noCamera: 'No camera can be used here: there is none, or this page is not opened by https or localhost. Choose a picture below.',
    drop: 'Or drop a photograph, a scan, a PDF or a recording with depth here, or paste one.', choose: 'Choose a file', shutter: 'Take the picture',
    capture: 'When the picture is taken', captures: { automatic: 'By itself', assisted: 'By hand, when it is seen', manual: 'By hand' }, zoom: 'Zoom', faces: 'Faces', marks: 'codes, links, numbers', notFollowed: 'Codes and text cannot be followed here.', torch: 'Light', cancel: 'Cancel', again: 'Try again', next: 'Scan another', copy: 'Copy', share: 'Share',
    image: 'Image', text: 'Text', fields: 'Values', corners: 'Corners', compare: 'Photograph', look: 'Look', document: 'Document', photo: 'Photograph', bw: 'Black and white',
    drag: 'Drag the four corners to those of the sheet; with the keyboard: Tab picks a corner, arrows move it.', flattenAgain: 'Flatten by these corners',
    hide: 'Black out', cards: 'Card numbers', names: 'Names', phones: 'Telephone numbers', emails: 'E-mail addresses',
    sending: 'Sending', queued: 'Waiting', running: 'Flattening and reading', loading: 'Fetching', failed: 'This did not work: ', offline: 'The server cannot be reached.',
    save: 'Save', absent: 'not found', where: 'Where', doubtful: 'please check', description: 'Item', quantity: 'Quantity', amount: 'Amount', noText: 'No text was read.', copied: 'Copied',
    archive: 'Archive', keep: 'Keep in the archive', kept: 'Kept', find: 'Search print, values, notes', documents: 'Documents', more: 'More', back: 'Back', unnamed: 'Document', tags: 'Tags', notes: 'Notes', kind: 'Kind', undo: 'Undo the last change', remove: 'Remove', sure: 'Remove this document with its files for ever?', keepChanges: 'Save changes',
    page: 'Page', addPage: 'Add a page', noMore: 'Begin a new document', allPages: 'PDF of all pages', twins: 'Duplicates', noTwins: 'No document is there twice.', makeOne: 'Make one of these',
    settings: 'Settings', lookFor: 'Look for', homeCountry: 'Country of receipts that do not say it', found: 'Found', nothingFound: 'Nothing else was found.', openKept: 'Open in the archive',
    marking: 'Black out areas', blacken: 'Black out', unmark: 'Clear', markHint: 'Draw a frame, or tap a word.', areasGone: 'It is another image now: areas that were black are not. Black them out again.', mesh: '3D', meshHint: 'Drag to turn, or use the arrow keys; pinch or + and - to zoom.', noMesh: 'This browser cannot show it; it can be saved.', notHere: 'not on this server', alwaysHide: 'Always black out',
    stages: { read: 'Reading the picture', outline: 'Finding the sheet', surface: 'Fitting its surface', print: 'Straightening its rows', upright: 'Turning it upright', resampling: 'Making it flat', stitching: 'Joining the pictures', text: 'Reading it', finding: 'Looking for what stands on it', write: 'Writing' },
    looksFor: { codes: 'Bar and QR codes', items: 'Links, numbers, addresses', contact: 'Business cards', mrz: 'Passports, identity cards' },
    finds: { url: 'Link', email: 'E-mail', phone: 'Telephone', date: 'Date', time: 'Time', price: 'Price', address: 'Address', flight: 'Flight', parcel: 'Parcel', work: 'Telephone', fax: 'Fax', surname: 'Surname', given_names: 'Given names', number: 'Number', nationality: 'Nationality', birth_date: 'Born', age: 'Age', expiry_date: 'Holds until', expired: 'expired' },
    sorts: { '': 'All', receipt: 'Receipts', invoice: 'Invoices', business_card: 'Contacts' },
    contact: { name: 'Name', organisation: 'Firm', title: 'Position', mobile: 'Mobile', email: 'E-mail', web: 'Web' },
    categories: { groceries: 'Groceries', restaurant: 'Restaurants', fuel: 'Fuel', health: 'Health', care: 'Care', clothing: 'Clothing', home: 'Home', electronics: 'Electronics', leisure: 'Leisure', travel: 'Travel', vehicle: 'Vehicle', post: 'Post', general: 'General goods' },
    roles: { original: 'Original', flat: 'Flat image', pdf: 'PDF', text: 'Text (JSON)' },
    values: { merchant: 'Merchant', date: 'Date', time: 'Time', total: 'Total', currency: 'Currency', subtotal: 'Subtotal', tax: 'Tax', tip: 'Tip', discount: 'Discount', payment: 'Payment', card_number: 'Card', address: 'Address', phone: 'Telephone', receipt_number: 'Receipt number', tax_number: 'Tax number', country: 'Country', category: 'Category' },
    advice: { noSheet: 'Point the camera at the receipt', tooDark: 'More light', cutOff: 'Show all of it', tooClose: 'Move away', tooFar: 'Move nearer', tooTilted: 'Hold the camera level with it', holdStill: 'Hold still', blurred: 'Not sharp yet', tooBright: 'A lamp is reflected: tilt a little', ready: 'Ready' },
  },
  de: {
    name: 'Deutsch', language: 'Sprache', why: 'Die Kamera wird gebraucht, um den Bon zu sehen: wo er liegt, wann er scharf ist. Die Bilder gehen nur an diesen Server, keines wird behalten.',
    start: 'Kamera benutzen', refusedCamera: 'Die Kamera darf nicht benutzt werden. Erlaube sie in den Einstellungen des Browsers für diese Seite, oder wähle unten ein Bild.',
    noCamera: 'Hier ist keine Kamera zu benutzen: es gibt keine, oder die Seite ist nicht über https oder localhost geöffnet. Wähle unten ein Bild.',
    drop: 'Oder ziehe ein Foto, einen Scan, eine PDF oder eine Aufnahme mit Tiefe hierher, oder füge sie ein.', choose: 'Datei wählen', shutter: 'Aufnehmen',
    capture: 'Wann das Foto entsteht', captures: { automatic: 'Von selbst', assisted: 'Von Hand, sobald er zu sehen ist', manual: 'Von Hand' }, zoom: 'Zoom', faces: 'Gesichter', marks: 'Codes, Links, Nummern', notFollowed: 'Codes und Text kann dieser Server nicht verfolgen.', torch: 'Licht', cancel: 'Abbrechen', again: 'Noch einmal', next: 'Nächster Bon', copy: 'Kopieren', share: 'Teilen',
    image: 'Bild', text: 'Text', fields: 'Werte', corners: 'Ecken', compare: 'Foto', look: 'Aussehen', document: 'Dokument', photo: 'Foto', bw: 'Schwarz-weiß',
    drag: 'Ziehe die vier Ecken auf die des Blattes; mit der Tastatur: Tab wählt eine Ecke, Pfeile bewegen sie.', flattenAgain: 'Nach diesen Ecken glätten',
    hide: 'Schwärzen', cards: 'Kartennummern', names: 'Namen', phones: 'Telefonnummern', emails: 'E-Mail-Adressen',
    sending: 'Wird gesendet', queued: 'Wartet', running: 'Wird geglättet und gelesen', loading: 'Wird geholt', failed: 'Das ging nicht: ', offline: 'Der Server ist nicht zu erreichen.',
    save: 'Sichern', absent: 'nicht gefunden', where: 'Wo', doubtful: 'bitte prüfen', description: 'Posten', quantity: 'Menge', amount: 'Betrag', noText: 'Es wurde kein Text gelesen.', copied: 'Kopiert',
    archive: 'Archiv', keep: 'Ins Archiv', kept: 'Gesichert', find: 'Suche in Druck, Werten, Notizen', documents: 'Dokumente', more: 'Mehr', back: 'Zurück', unnamed: 'Dokument', tags: 'Schlagworte', notes: 'Notizen', kind: 'Art', undo: 'Letzte Änderung zurücknehmen', remove: 'Entfernen', sure: 'Dieses Dokument mit seinen Dateien für immer entfernen?', keepChanges: 'Änderungen sichern',
    page: 'Seite', addPage: 'Seite anfügen', noMore: 'Neues Dokument beginnen', allPages: 'PDF aller Seiten', twins: 'Doppelte', noTwins: 'Kein Dokument ist doppelt da.', makeOne: 'Zu einem machen',
    settings: 'Einstellungen', lookFor: 'Suche nach', homeCountry: 'Land von Bons, die es nicht sagen', found: 'Gefunden', nothingFound: 'Sonst wurde nichts gefunden.', openKept: 'Im Archiv öffnen',
    marking: 'Stellen schwärzen', blacken: 'Schwärzen', unmark: 'Leeren', markHint: 'Ziehe einen Rahmen oder tippe auf ein Wort.', areasGone: 'Es ist nun ein anderes Bild: Stellen, die schwarz waren, sind es nicht mehr. Schwärze sie noch einmal.', mesh: '3D', meshHint: 'Ziehen dreht, Pfeiltasten auch; zwei Finger oder + und - zoomen.', noMesh: 'Dieser Browser kann es nicht zeigen; sichern lässt es sich.', notHere: 'nicht auf diesem Server', alwaysHide: 'Immer schwärzen',
    stages: { read: 'Das Bild wird gelesen', outline: 'Das Blatt wird gesucht', surface: 'Seine Form wird bestimmt', print: 'Seine Zeilen werden gerade', upright: 'Es wird aufrecht gedreht', resampling: 'Es wird glatt', stitching: 'Die Bilder werden verbunden', text: 'Es wird gelesen', finding: 'Es wird durchsucht', write: 'Es wird geschrieben' },
    looksFor: { codes: 'Strich- und QR-Codes', items: 'Links, Nummern, Anschriften', contact: 'Visitenkarten', mrz: 'Pässe, Ausweise' },
    finds: { url: 'Link', email: 'E-Mail', phone: 'Telefon', date: 'Datum', time: 'Zeit', price: 'Preis', address: 'Anschrift', flight: 'Flug', parcel: 'Paket', work: 'Telefon', fax: 'Fax', surname: 'Name', given_names: 'Vornamen', number: 'Nummer', nationality: 'Staatsangehörigkeit', birth_date: 'Geboren', age: 'Alter', expiry_date: 'Gültig bis', expired: 'abgelaufen' },
    sorts: { '': 'Alle', receipt: 'Bons', invoice: 'Rechnungen', business_card: 'Kontakte' },
    contact: { name: 'Name', organisation: 'Firma', title: 'Stellung', mobile: 'Mobil', email: 'E-Mail', web: 'Web' },
    categories: { groceries: 'Lebensmittel', restaurant: 'Gaststätten', fuel: 'Tanken', health: 'Gesundheit', care: 'Pflege', clothing: 'Kleidung', home: 'Haus und Garten', electronics: 'Elektronik', leisure: 'Freizeit', travel: 'Reisen', vehicle: 'Fahrzeug', post: 'Post', general: 'Gemischtes' },
    roles: { original: 'Original', flat: 'Glattes Bild', pdf: 'PDF', text: 'Text (JSON)' },
    values: { merchant: 'Händler', date: 'Datum', time: 'Zeit', total: 'Summe', currency: 'Währung', subtotal: 'Zwischensumme', tax: 'Steuer', tip: 'Trinkgeld', discount: 'Rabatt', payment: 'Zahlung', card_number: 'Karte', address: 'Anschrift', phone: 'Telefon', receipt_number: 'Bonnummer', tax_number: 'Steuernummer', country: 'Land', category: 'Sparte' },
    advice: { noSheet: 'Richte die Kamera auf den Bon', tooDark: 'Mehr Licht', cutOff: 'Zeige ihn ganz', tooClose: 'Weiter weg', tooFar: 'Näher heran', tooTilted: 'Halte die Kamera gerade darüber', holdStill: 'Stillhalten', blurred: 'Noch nicht scharf', tooBright: 'Eine Lampe spiegelt sich: etwas kippen', ready: 'Fertig' },
  },
};

let language = localStorage.getItem('language') || (navigator.languages || []).map((tag) => tag.slice(0, 2)).find((tag) => words[tag]) || 'en';
if (!words[language]) language = 'en';

/** A word by its key, or by the keys of its group and of itself. */
export const word = (key) => {
  const [group, inner] = key.split('.');
  const found = (all) => (inner ? all[group]?.[inner] : all[group]);
  return found(words[language]) ?? found(words.en) ?? key;
};

export function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = word(element.dataset.word);
  for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', word(element.dataset.label));
  for (const element of document.querySelectorAll('[data-hint]')) element.placeholder = word(element.dataset.hint);
}

export function offerLanguages(select, changed) {
  select.replaceChildren(...Object.entries(words).map(([code, entry]) => new Option(entry.name, code, false, code === language)));
  select.addEventListener('change', () => {
    language = select.value;
    localStorage.setItem('language', language);
    translate();
    changed();
  });
}
