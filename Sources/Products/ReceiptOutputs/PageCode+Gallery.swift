extension PageCode {
    /// The style and the script of a batch's index.
    package static let gallery = PageCode(
        style: commonStyle + galleryStyle, styleDigest: "UVIbcX+ZEpDJunQHT8mIj3Rr9BGqmlf6R3R3dvnmtFk=",
        script: galleryScript, scriptDigest: "ViV33DtpbHrds0UN1czkzSReZsIaZmSFIu/lyGLsNSE=")

    /// Cards have one height, so that the browser need not lay out those out of view.
    private static let galleryStyle = #"""

        search { display: block; position: sticky; top: 0; padding: 0.5rem 0; background: var(--paper); z-index: 1; }
        .scripted { display: none; }
        .scripts .scripted { display: block; }
        input[type=search] {
          width: min(100%, 30rem); font: inherit; padding: 0.4rem; color: inherit; background: var(--paper);
          border: 1px solid var(--quiet);
        }
        ol {
          list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr));
        }
        li {
          height: 17rem; overflow: auto; border: 1px solid var(--line); padding: 0.5rem;
          content-visibility: auto; contain-intrinsic-size: auto 17rem;
        }
        li img { display: block; width: 100%; height: 9rem; object-fit: contain; }
        li p { margin: 0; }
        .doubtful, .failed { border-left: 5px solid var(--lit); }
        .doubtful .state, .failed .state { color: var(--lit); }
        [hidden] { display: none; }
        """#

    private static let galleryScript = #"""
        'use strict';
        (() => {
          document.documentElement.classList.add('scripts');
          const list = document.querySelector('ol');
          const shown = document.getElementById('shown');
          const field = document.getElementById('sought');
          const cards = Array.from(list.children, element => ({ element, words: element.dataset.words }));
          // Only so many cards are in the document: more are put there as one scrolls.
          const page = 200;
          let [found, end] = [cards, 0];
          const more = () => {
            const next = found.slice(end, end + page).map(each => each.element);
            end += next.length;
            list.append(...next);
          };
          const search = () => {
            const words = field.value.toLowerCase().split(/\s+/).filter(each => each);
            found = cards.filter(card => words.every(word => card.words.includes(word)));
            end = 0;
            list.replaceChildren();
            more();
            shown.textContent = `${found.length} of ${cards.length}`;
          };
          field.addEventListener('input', search);
          const watcher = new IntersectionObserver(entries => {
            if (entries.some(each => each.isIntersecting)) more();
          }, { rootMargin: '1500px' });
          watcher.observe(document.getElementById('end'));
          search();
        })();
        """#
}
