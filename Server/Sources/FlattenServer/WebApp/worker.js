// Keeps the app's own files, so that it opens without the server and can say what needs it. Nothing of a document is kept.
const cache = 'app-6';
const files = ['/', '/app.js', '/scan.js', '/review.js', '/archive.js', '/found.js', '/settings.js', '/areas.js', '/mesh.js', '/words.js', '/style.css', '/icon.svg', '/app.webmanifest'];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(cache).then((store) => store.addAll(files)).then(() => skipWaiting()));
});
addEventListener('activate', (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((n) => n !== cache).map((n) => caches.delete(n)))));
});
addEventListener('fetch', (event) => {
  const path = new URL(event.request.url).pathname;
  if (event.request.method !== 'GET' || !files.includes(path)) return;
  // The server's file where it answers, so that a new version is seen at once.
  event.respondWith(
    fetch(event.request).then((answer) => {
      if (answer.ok && !answer.redirected) {
        const copy = answer.clone();
        caches.open(cache).then((store) => store.put(path, copy));
      }
      return answer;
    }).catch(() => caches.match(path)));
});
