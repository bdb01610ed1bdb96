extension PageCode {
    /// The style and the script of a receipt's page.
    package static let result = PageCode(
        style: resultStyle, styleDigest: "G+xDdbR/zp8zcG0wQgkOme4dR2Bl9sJBOWA9UwEtu0M=", script: resultScript,
        scriptDigest: "415zXFqCyFgWVN++Cp0IGhrMYazv7jJCIX8QJR2XAXY=")

    /// The look of all pages: colours for light and dark, each with a contrast of at least 4.5 to 1 against its
    /// background.
    static let commonStyle = #"""
        :root {
          --paper: #fdfdfb; --ink: #1c1c1a; --quiet: #5a5a55; --line: #c9c9c2; --link: #0b4fa8; --lit: #b02a00;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #191a1c; --ink: #ececea; --quiet: #b0b0aa; --line: #45464a; --link: #8ab8ff; --lit: #ffa980;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
        }
        h1 { font-size: 1.4rem; margin: 0; }
        h2, caption { font-size: 1.1rem; font-weight: 600; margin: 1rem 0 0.25rem; text-align: left; }
        a { color: var(--link); }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .facts { color: var(--quiet); margin: 0.25rem 0; }
        img, canvas { max-width: 100%; height: auto; }
        """#

    private static let resultStyle =
        commonStyle + #"""

            main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.5rem; }
            #pictures { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; align-items: start; }
            #pictures.single { max-width: 50rem; }
            @media (min-width: 40rem) {
              #pictures:not(.single) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
            }
            #pictures.weighed { grid-template-columns: minmax(0, var(--left)) minmax(0, var(--right)); gap: 0.25rem; }
            @media (min-width: 75rem) {
              main { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
              main > :not([aria-label=Pictures]) { grid-column: 2; }
              [aria-label=Pictures] { grid-row: 1 / span 100; align-self: start; position: sticky; top: 0.5rem; }
            }
            figure { margin: 0; overflow: hidden; }
            figcaption { color: var(--quiet); white-space: nowrap; }
            .stack { position: relative; }
            .stack img { display: block; width: 100%; }
            .stack svg { position: absolute; inset: 0; width: 100%; height: 100%; }
            svg polygon { fill: transparent; stroke: #0b6fd0; stroke-width: 1.5px; vector-effect: non-scaling-stroke; }
            svg .outline { stroke: #11a04a; stroke-dasharray: 6 4; pointer-events: none; }
            svg .box { outline: none; }
            svg .lit polygon, svg .box:hover polygon, svg .box:focus polygon, svg .box:target polygon {
              fill: #ff8a0055; stroke: #d43d00; stroke-width: 3px;
            }
            svg text { fill: transparent; white-space: pre; font-family: monospace; cursor: text; }
            svg text::selection { background: #2a7de188; fill: transparent; }
            table { width: 100%; border-collapse: collapse; }
            th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.4rem; border-top: 1px solid var(--line); }
            tbody th { font-weight: 400; width: 38%; }
            thead th:last-child { white-space: nowrap; text-align: right; }
            td:last-child { white-space: nowrap; color: var(--quiet); text-align: right; }
            .value { white-space: pre-wrap; }
            tr.lit, tr:target { box-shadow: inset 4px 0 var(--lit); }
            tr.lit .value, tr.lit .value a { color: var(--lit); }
            pre { white-space: pre-wrap; border: 1px solid var(--line); padding: 0.5rem; margin: 0; }
            .scripted { display: none; }
            .scripts .scripted { display: block; }
            input[type=range] { width: min(100%, 24rem); accent-color: var(--link); }
            canvas { display: block; width: 100%; aspect-ratio: 4 / 3; touch-action: none; border: 1px solid var(--line); }
            #relief { max-height: 30rem; }
            [hidden] { display: none; }
            @media print { .scripted, #downloads { display: none; } }
            """#

    private static let resultScript = #"""
        'use strict';
        (() => {
          const byId = id => document.getElementById(id);
          document.documentElement.classList.add('scripts');

          // A value and its boxes light up together.
          const light = (mark, isLit) => {
            for (const each of document.querySelectorAll(`[data-mark="${mark}"]`)) each.classList.toggle('lit', isLit);
          };
          let lit = null;
          const show = mark => {
            if (mark === lit) return;
            if (lit !== null) light(lit, false);
            if (mark !== null) light(mark, true);
            lit = mark;
          };
          const markOf = element => element && element.closest ? element.closest('[data-mark]') : null;
          // Words lie above the boxes, so all that is under the pointer is asked.
          document.addEventListener('pointermove', event => {
            const found = document.elementsFromPoint(event.clientX, event.clientY).map(markOf).find(each => each);
            show(found ? found.dataset.mark : null);
          });
          document.addEventListener('focusin', event => {
            const found = markOf(event.target);
            if (found) show(found.dataset.mark);
          });
          document.addEventListener('focusout', () => show(null));

          const flat = document.querySelector('#flat img');
          const save = byId('save');
          save.href = flat.src;
          save.download = save.dataset.name;

          const share = byId('share');
          if (share) {
            const pictures = byId('pictures');
            share.addEventListener('input', () => {
              const value = Number(share.value);
              pictures.classList.add('weighed');
              pictures.style.setProperty('--left', `${100 - value}fr`);
              pictures.style.setProperty('--right', `${value}fr`);
            });
          }

          const data = byId('mesh');
          const canvas = byId('sheet');
          if (!data || !canvas) return;
          const gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
          // Without WebGL the relief stays.
          if (!gl) return;

          const mesh = JSON.parse(data.textContent);
          const vertexCode = `#version 300 es
            in vec3 curved; in vec2 place; in float residual, reading;
            uniform float unrolled, aspect, distance, focal; uniform vec2 size, turn;
            out vec2 spot; out float error, known; out vec3 world;
            void main() {
              vec3 level = vec3((place.x - 0.5) * size.x, (0.5 - place.y) * size.y, 0.0);
              vec3 p = mix(curved, level, unrolled);
              float c = cos(turn.x), s = sin(turn.x);
              p = vec3(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
              c = cos(turn.y); s = sin(turn.y);
              p = vec3(p.x, c * p.y - s * p.z, s * p.y + c * p.z);
              world = p; spot = place; error = residual; known = reading;
              float depth = distance - p.z;
              // Depth is squeezed, so that nothing of the sheet is cut off before or behind.
              gl_Position = vec4(focal * p.x / aspect, focal * p.y, 0.1 * (depth - distance), depth);
            }`;
          const fragmentCode = `#version 300 es
            precision highp float;
            in vec2 spot; in float error, known; in vec3 world;
            uniform sampler2D picture; uniform bool byResidual; uniform float range;
            out vec4 color;
            void main() {
              vec3 normal = normalize(cross(dFdx(world), dFdy(world)));
              float shade = 0.55 + 0.45 * abs(normal.z);
              vec3 paper = texture(picture, spot).rgb;
              if (byResidual) {
                vec3 full = error < 0.0 ? vec3(0.13, 0.40, 0.67) : vec3(0.70, 0.09, 0.17);
                // A cell with a corner that was not read tells nothing.
                paper = known < 0.999 ? vec3(0.5) : mix(vec3(0.97), full, min(abs(error) / range, 1.0));
              }
              color = vec4(paper * shade, 1.0);
            }`;
          const program = gl.createProgram();
          for (const [kind, code] of [[gl.VERTEX_SHADER, vertexCode], [gl.FRAGMENT_SHADER, fragmentCode]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, code);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
          }
          gl.linkProgram(program);
          if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return;
          gl.useProgram(program);

          // Hundredths of a millimetre to millimetres.
          const count = mesh.columns * mesh.rows;
          const isSeen = vertex => mesh.curved[3 * vertex] !== null;
          const places = new Float32Array(2 * count);
          for (let vertex = 0; vertex < count; vertex++) {
            places[2 * vertex] = (vertex % mesh.columns) / (mesh.columns - 1);
            places[2 * vertex + 1] = Math.floor(vertex / mesh.columns) / (mesh.rows - 1);
          }
          const feed = (name, values, width) => {
            gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
            gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
            const location = gl.getAttribLocation(program, name);
            gl.enableVertexAttribArray(location);
            gl.vertexAttribPointer(location, width, gl.FLOAT, false, 0, 0);
          };
          feed('curved', Float32Array.from(mesh.curved, each => (each || 0) / 100), 3);
          feed('place', places, 2);
          feed('residual', Float32Array.from(mesh.residuals, each => (each || 0) / 100), 1);
          feed('reading', Float32Array.from(mesh.residuals, each => each === null ? 0 : 1), 1);
          const corners = [];
          for (let row = 0; row + 1 < mesh.rows; row++) {
            for (let column = 0; column + 1 < mesh.columns; column++) {
              const a = row * mesh.columns + column;
              const [b, c, d] = [a + 1, a + mesh.columns, a + mesh.columns + 1];
              if ([a, b, c, d].every(isSeen)) corners.push(a, c, b, b, c, d);
            }
          }
          gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
          gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(corners), gl.STATIC_DRAW);

          const uniform = name => gl.getUniformLocation(program, name);
          // In half heights: an angle of view of 40 degrees.
          const focal = 1 / Math.tan(20 * Math.PI / 180);
          const [unroll, residual] = [byId('unroll'), byId('residual')];
          // The whole sheet is in view however it is turned.
          const reach = 2 * Math.hypot(mesh.height, mesh.width);
          let [turn, near] = [[0.5, 0.35], reach];
          const draw = () => {
            const scale = window.devicePixelRatio || 1;
            const [width, height] = [canvas.clientWidth * scale, canvas.clientHeight * scale].map(Math.round);
            if (!width || !height) return;
            if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
            gl.viewport(0, 0, width, height);
            gl.enable(gl.DEPTH_TEST);
            gl.clearColor(0.35, 0.36, 0.38, 1);
            gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
            gl.uniform1f(uniform('unrolled'), Number(unroll.value) / 100);
            gl.uniform1f(uniform('aspect'), width / height);
            gl.uniform1f(uniform('distance'), near);
            gl.uniform1f(uniform('focal'), focal);
            gl.uniform2f(uniform('size'), mesh.width, mesh.height);
            gl.uniform2f(uniform('turn'), turn[0], turn[1]);
            gl.uniform1i(uniform('byResidual'), residual.checked ? 1 : 0);
            gl.uniform1f(uniform('range'), mesh.range);
            gl.drawElements(gl.TRIANGLES, corners.length, gl.UNSIGNED_INT, 0);
          };
          const turnBy = (x, y) => {
            turn = [turn[0] + x, Math.max(-1.5, Math.min(1.5, turn[1] + y))];
            draw();
          };
          const nearBy = factor => {
            near = Math.max(0.5 * reach, Math.min(3 * reach, near * factor));
            draw();
          };
          const keys = {
            ArrowLeft: () => turnBy(-0.1, 0), ArrowRight: () => turnBy(0.1, 0), ArrowUp: () => turnBy(0, -0.1),
            ArrowDown: () => turnBy(0, 0.1), '+': () => nearBy(1 / 1.1), '-': () => nearBy(1.1),
          };
          canvas.addEventListener('keydown', event => {
            if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            keys[event.key]();
          });
          canvas.addEventListener('pointerdown', event => canvas.setPointerCapture(event.pointerId));
          canvas.addEventListener('pointermove', event => {
            if (event.buttons) turnBy(event.movementX / 150, event.movementY / 150);
          });
          for (const control of [unroll, residual]) control.addEventListener('input', draw);
          window.addEventListener('resize', draw);
          canvas.addEventListener('webglcontextlost', () => {
            byId('drawn').hidden = true;
            byId('relief').hidden = false;
          });

          flat.decode().then(() => {
            gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, flat);
            gl.generateMipmap(gl.TEXTURE_2D);
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
            byId('range').textContent = mesh.range;
            byId('relief').hidden = true;
            byId('drawn').hidden = false;
            draw();
          });
        })();
        """#
}
