// The sheet as depth shows it: a mesh with its print (glTF 2.0, binary, as `flatten --mesh` writes it), turned by hand.

const vertexShader = `#version 300 es
in vec3 position; in vec2 place; uniform mat4 view; out vec2 at; out vec3 point;
void main() { at = place; point = position; gl_Position = view * vec4(position, 1.0); }`;
// Light comes from the eye: what faces it is bright, so that a fold is seen.
const fragmentShader = `#version 300 es
precision highp float; in vec2 at; in vec3 point; uniform sampler2D print; uniform vec3 eye; out vec4 color;
void main() {
  vec3 normal = normalize(cross(dFdx(point), dFdy(point)));
  float light = 0.35 + 0.65 * abs(dot(normal, normalize(eye - point)));
  color = vec4(texture(print, at).rgb * light, 1.0);
}`;
const sizes = { SCALAR: 1, VEC2: 2, VEC3: 3 };
/** How far a key turns, and a pixel of a drag, in radians. */
const [keyTurn, pixelTurn] = [0.1, 0.008];

/** The parts of a file. Throws where it is none of that kind. */
export function readMesh(buffer) {
  const words = new DataView(buffer);
  if (words.getUint32(0, true) !== 0x46546c67) throw new Error('no glTF');
  const length = words.getUint32(12, true);
  const description = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, length)));
  const start = 28 + length;
  const bytes = ({ byteOffset = 0, byteLength }) => new Uint8Array(buffer, start + byteOffset, byteLength);
  const values = (index) => {
    const { bufferView, componentType, count, type } = description.accessors[index];
    const part = bytes(description.bufferViews[bufferView]).slice().buffer;
    const Kind = { 5126: Float32Array, 5125: Uint32Array, 5123: Uint16Array }[componentType];
    return new Kind(part, 0, count * sizes[type]);
  };
  const { attributes, indices } = description.meshes[0].primitives[0];
  const image = description.images[0];
  return {
    positions: values(attributes.POSITION), places: values(attributes.TEXCOORD_0), indices: new Uint32Array(values(indices)),
    print: new Blob([bytes(description.bufferViews[image.bufferView])], { type: image.mimeType }),
  };
}

/** A product of two matrices, column by column. */
const times = (a, b) => Float32Array.from({ length: 16 }, (_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + i % 4] * b[(i >> 2) * 4 + k], 0));

export class MeshView {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext('webgl2', { antialias: true });
    [this.turn, this.tilt, this.distance] = [0, 0, 1];
    const fingers = new Map();
    const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener('pointermove', (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const before = fingers.size === 2 ? spread() : 0;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) this.zoom(before / Math.max(spread(), 1));
      else this.rotate((event.clientX - last.x) * pixelTurn, (event.clientY - last.y) * pixelTurn);
    });
    for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, (event) => fingers.delete(event.pointerId));
    canvas.addEventListener('wheel', (event) => { event.preventDefault(); this.zoom(event.deltaY > 0 ? 1.1 : 1 / 1.1); }, { passive: false });
    canvas.addEventListener('keydown', (event) => {
      const turn = { ArrowLeft: [-keyTurn, 0], ArrowRight: [keyTurn, 0], ArrowUp: [0, -keyTurn], ArrowDown: [0, keyTurn] }[event.key];
      const zoom = { '+': 1 / 1.1, '-': 1.1 }[event.key];
      if (turn) this.rotate(...turn);
      else if (zoom) this.zoom(zoom);
      else return;
      event.preventDefault();
    });
  }

  get isPossible() { return Boolean(this.gl); }

  rotate(turn, tilt) {
    this.turn += turn;
    this.tilt = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.tilt + tilt));
    this.draw();
  }

  zoom(factor) {
    this.distance = Math.max(0.3, Math.min(4, this.distance * factor));
    this.draw();
  }

  link() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'WebGL');
    return program;
  }

  /** Shows a mesh. */
  async show(buffer) {
    const { gl } = this;
    const mesh = readMesh(buffer);
    const print = await createImageBitmap(mesh.print);
    const program = this.program ?? this.link();
    gl.useProgram(program);
    for (const old of this.buffers ?? []) gl.deleteBuffer(old);
    gl.deleteTexture(this.texture ?? null);
    this.buffers = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
    this.texture = gl.createTexture();
    for (const [index, [name, values, size]] of [['position', mesh.positions, 3], ['place', mesh.places, 2]].entries()) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[index]);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers[2]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_BYTE, print);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.enable(gl.DEPTH_TEST);
    const axes = [0, 1, 2].map((axis) => mesh.positions.filter((_, index) => index % 3 === axis));
    const [least, most] = [Math.min, Math.max].map((choose) => axes.map((values) => values.reduce((a, b) => choose(a, b))));
    this.middle = least.map((value, axis) => (value + most[axis]) / 2);
    this.radius = Math.hypot(...least.map((value, axis) => (most[axis] - value) / 2)) || 1;
    Object.assign(this, { program, count: mesh.indices.length, turn: 0, tilt: 0, distance: 1 });
    this.draw();
  }

  draw() {
    if (!this.count) return;
    const { gl, canvas, program, radius, middle, turn, tilt } = this;
    const box = canvas.getBoundingClientRect();
    canvas.width = Math.max(1, Math.round(box.width * devicePixelRatio));
    canvas.height = Math.max(1, Math.round(box.height * devicePixelRatio));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    // Seen from the camera's side, which looks along -z, at a third of a right angle from rim to middle.
    const far = radius * 2.6 * this.distance;
    const [near, beyond, focus] = [far / 50, far + radius * 4, 1 / Math.tan(Math.PI / 8)];
    const wide = canvas.width / canvas.height;
    const scale = focus * Math.min(1, wide);
    const [ct, st, cp, sp] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
    const projection = new Float32Array([scale / wide, 0, 0, 0, 0, scale, 0, 0, 0, 0, (near + beyond) / (near - beyond), -1, 0, 0, 2 * near * beyond / (near - beyond), 0]);
    const back = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -far, 1]);
    const turned = new Float32Array([ct, sp * st, -cp * st, 0, 0, cp, sp, 0, st, -sp * ct, cp * ct, 0, 0, 0, 0, 1]);
    const centred = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...middle.map((value) => -value), 1]);
    gl.uniformMatrix4fv(gl.getUniformLocation(program, 'view'), false, times(times(projection, back), times(turned, centred)));
    // The eye in the mesh's own frame: the third row of the turn, as far away as the camera.
    gl.uniform3f(gl.getUniformLocation(program, 'eye'), middle[0] - cp * st * far, middle[1] + sp * far, middle[2] + cp * ct * far);
    gl.drawElements(gl.TRIANGLES, this.count, gl.UNSIGNED_INT, 0);
  }
}
