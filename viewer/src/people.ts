// People as they are drawn: simple walking figures near the camera, discs with a heading farther away and in the plan, dots where even those
// would be too small to see a heading. Dots are what lets a hundred thousand be drawn without a graphics card.
import * as THREE from 'three';
import {Agents} from './frames';
import {Crowd} from './crowd';

/** Figures at most; who is farther away, or smaller than `figurePixels`, is a disc. */
const mostFigures = 1200;
const figurePixels = 14;
/** Who is smaller on the screen is a dot. */
const discPixels = 5;
const bodyHeight = 1.75;

const discVertex = `
  attribute vec3 colour;
  attribute vec2 body;  // radius, heading
  uniform float pixels;  // a metre at distance 1, or anywhere in the plan
  uniform bool plan;
  uniform vec2 viewport;
  varying vec3 vColour;
  varying vec2 vAhead;
  varying float vSize;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * at;
    vec4 ahead = projectionMatrix * (modelViewMatrix * vec4(position + 0.5 * vec3(cos(body.y), sin(body.y), 0.0), 1.0));
    vec2 way = (ahead.xy / ahead.w - gl_Position.xy / gl_Position.w) * viewport;
    vAhead = length(way) > 1e-6 ? normalize(way) : vec2(0.0);
    float size = 2.0 * body.x * pixels / (plan ? 1.0 : -at.z);
    vSize = size;
    gl_PointSize = vSize;
    vColour = colour;
  }`;
const discFragment = `
  varying vec3 vColour;
  varying vec2 vAhead;
  varying float vSize;
  void main() {
    vec2 p = vec2(2.0 * gl_PointCoord.x - 1.0, 1.0 - 2.0 * gl_PointCoord.y);
    float r = length(p);
    if (r > 1.0) discard;
    vec3 c = vColour;
    // The front third is a nose in a darker shade; a thin rim tells bodies apart.
    float front = dot(p, vAhead), side = abs(dot(p, vec2(-vAhead.y, vAhead.x)));
    if (front > 0.35 && side < 0.9 * (1.15 - front)) c *= 0.42;
    if (vSize > 8.0 && r > 0.86) c *= 0.62;
    gl_FragColor = vec4(c, 1.0);
  }`;

const dotVertex = `
  attribute vec4 colour;
  uniform float size;
  varying vec3 vColour;
  void main() {
    gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
    gl_PointSize = size;
    vColour = colour.rgb;
  }`;
const dotFragment = `
  uniform bool round;
  varying vec3 vColour;
  void main() {
    if (round && distance(gl_PointCoord, vec2(0.5)) > 0.5) discard;
    gl_FragColor = vec4(vColour, 1.0);
  }`;

const figureVertex = `
  attribute vec4 part;      // which limb turns: height of its joint, swing
  attribute vec4 place;     // x, y, z, heading
  attribute vec4 gait;      // phase, swing, scale, -
  attribute vec3 colour;
  attribute vec3 shade;     // of the part: clothes, skin, legs
  varying vec3 vColour;
  varying vec3 vNormal;
  void main() {
    vec3 p = position;
    vec3 n = normal;
    float turn = part.y * gait.y * sin(gait.x);
    float c = cos(turn), s = sin(turn);
    p.z -= part.x;
    p.xz = vec2(c * p.x + s * p.z, c * p.z - s * p.x);
    p.z += part.x;
    p *= gait.z;
    float ch = cos(place.w), sh = sin(place.w);
    p.xy = vec2(ch * p.x - sh * p.y, sh * p.x + ch * p.y);
    n.xy = vec2(ch * n.x - sh * n.y, sh * n.x + ch * n.y);
    vNormal = n;
    vColour = mix(colour, shade, part.z) * (1.0 - part.w);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(p + place.xyz, 1.0);
  }`;
const figureFragment = `
  varying vec3 vColour;
  varying vec3 vNormal;
  void main() {
    float light = 0.72 + 0.28 * dot(normalize(vNormal), normalize(vec3(0.4, -0.5, 0.9)));
    gl_FragColor = vec4(vColour * light, 1.0);
  }`;

/** Torso, head, arms and legs, facing along x; `part` says about which joint each turns. */
function figureGeometry(): THREE.InstancedBufferGeometry {
  const position: number[] = [], normal: number[] = [], part: number[] = [], shade: number[] = [];
  const add = (g: THREE.BufferGeometry, at: [number, number, number], p: [number, number, number, number],
               s: [number, number, number]): void => {
    const flatGeometry = g.toNonIndexed();
    flatGeometry.rotateX(Math.PI / 2);
    flatGeometry.translate(...at);
    position.push(...flatGeometry.getAttribute('position').array);
    normal.push(...flatGeometry.getAttribute('normal').array);
    for (let i = 0; i < flatGeometry.getAttribute('position').count; ++i) part.push(...p), shade.push(...s);
  };
  const skin: [number, number, number] = [0.86, 0.7, 0.58], cloth: [number, number, number] = [0.2, 0.22, 0.26];
  const torso = new THREE.CapsuleGeometry(0.17, 0.36, 2, 8);
  torso.scale(0.75, 1, 1.15);
  add(torso, [0, 0, 1.14], [0, 0, 0, 0], cloth);
  add(new THREE.SphereGeometry(0.115, 8, 6), [0.02, 0, 1.62], [0, 0, 1, 0], skin);
  for (const side of [-1, 1]) {
    add(new THREE.CapsuleGeometry(0.075, 0.66, 1, 6), [0, 0.1 * side, 0.43], [0.86, 0.55 * side, 0.85, 0], cloth);
    add(new THREE.CapsuleGeometry(0.05, 0.46, 1, 5), [0, 0.245 * side, 1.1], [1.36, -0.45 * side, 0, 0.18], cloth);
  }
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  geometry.setAttribute('part', new THREE.Float32BufferAttribute(part, 4));
  geometry.setAttribute('shade', new THREE.Float32BufferAttribute(shade, 3));
  geometry.setAttribute('place', new THREE.InstancedBufferAttribute(new Float32Array(4 * mostFigures), 4));
  geometry.setAttribute('gait', new THREE.InstancedBufferAttribute(new Float32Array(4 * mostFigures), 4));
  geometry.setAttribute('colour', new THREE.InstancedBufferAttribute(new Float32Array(3 * mostFigures), 3));
  geometry.instanceCount = 0;
  return geometry;
}

/** One column of a geometry that is written anew for every picture. */
function column(room: number, size: number, bytes = false): THREE.BufferAttribute {
  const array = bytes ? new Uint8Array(room * size) : new Float32Array(room * size);
  return new THREE.BufferAttribute(array, size, bytes).setUsage(THREE.DynamicDrawUsage);
}

function written(geometry: THREE.BufferGeometry, count: number): void {
  geometry.setDrawRange(0, count);
  for (const name in geometry.attributes) {
    const attribute = geometry.attributes[name] as THREE.BufferAttribute;
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, count * attribute.itemSize);
    attribute.needsUpdate = true;
  }
}

export class PeopleView {
  readonly group = new THREE.Group();
  private readonly dots = new THREE.BufferGeometry();
  private readonly discs = new THREE.BufferGeometry();
  private readonly figures = figureGeometry();
  private readonly dotMaterial = new THREE.ShaderMaterial({transparent: true, vertexShader: dotVertex, fragmentShader: dotFragment, uniforms: {size: {value: 3}, round: {value: true}}});
  // Transparent only so that three.js draws them after every layer that is: they cover what lies below.
  private readonly discMaterial = new THREE.ShaderMaterial({
    transparent: true,
    vertexShader: discVertex, fragmentShader: discFragment,
    uniforms: {pixels: {value: 1}, plan: {value: false}, viewport: {value: new THREE.Vector2(1, 1)}},
  });
  private capacity = 0;
  private near: number[] = [];
  private figured = new Uint8Array(0);

  constructor() {
    const dots = new THREE.Points(this.dots, this.dotMaterial), discs = new THREE.Points(this.discs, this.discMaterial);
    const bodies = new THREE.Mesh(this.figures, new THREE.ShaderMaterial({vertexShader: figureVertex, fragmentShader: figureFragment}));
    dots.frustumCulled = discs.frustumCulled = bodies.frustumCulled = false;
    dots.renderOrder = discs.renderOrder = 10;
    this.group.add(dots, discs, bodies);
  }

  /** How many are drawn as figures, as discs and as dots. */
  get counts(): {figures: number; discs: number; dots: number} {
    return {figures: this.figures.instanceCount, discs: this.discs.drawRange.count, dots: this.dots.drawRange.count};
  }

  /** `colours` holds three numbers a person; `size` the canvas in device pixels. */
  draw(crowd: Crowd, agents: Agents, colours: Float32Array, camera: THREE.Camera, size: THREE.Vector2): void {
    this.reserve(crowd.n);
    const plan = camera instanceof THREE.OrthographicCamera;
    const pixels = plan ? (size.y / (camera.top - camera.bottom)) * camera.zoom
                        : size.y / (2 * Math.tan((((camera as THREE.PerspectiveCamera).fov / 2) * Math.PI) / 180));
    this.discMaterial.uniforms.pixels.value = pixels;
    this.discMaterial.uniforms.plan.value = plan;
    this.discMaterial.uniforms.viewport.value = size;
    const veryMany = crowd.n > 20000;
    this.dotMaterial.uniforms.size.value = veryMany ? 2 : 4;
    this.dotMaterial.uniforms.round.value = !veryMany;
    this.dotMaterial.depthTest = this.discMaterial.depthTest = !plan;
    this.near = plan ? [] : this.chooseFigures(crowd, camera, pixels);
    for (const i of this.near) this.figured[i] = 1;
    this.drawFlat(crowd, agents, colours, camera, pixels);
    for (const i of this.near) this.figured[i] = 0;
    this.drawFigures(crowd, agents, colours);
  }

  /** Those large enough on the screen, the nearest first where they are too many. */
  private chooseFigures(crowd: Crowd, camera: THREE.Camera, pixels: number): number[] {
    const reach = (bodyHeight * pixels) / figurePixels, eye = camera.position;
    const ahead = camera.getWorldDirection(new THREE.Vector3());
    const candidates: {i: number; d: number}[] = [];
    for (let i = 0; i < crowd.n; ++i) {
      if (!crowd.shown[i]) continue;
      const dx = crowd.x[i] - eye.x, dy = crowd.y[i] - eye.y, dz = crowd.z[i] - eye.z;
      const d = dx * dx + dy * dy + dz * dz;
      if (d < reach * reach && dx * ahead.x + dy * ahead.y + dz * ahead.z > -2) candidates.push({i, d});
    }
    if (candidates.length > mostFigures) {
      candidates.sort((a, b) => a.d - b.d);
      candidates.length = mostFigures;
    }
    return candidates.map(c => c.i);
  }

  /** Everybody who is no figure: a disc where it is large enough, else a dot. */
  private drawFlat(crowd: Crowd, agents: Agents, colours: Float32Array, camera: THREE.Camera, pixels: number): void {
    const plan = camera instanceof THREE.OrthographicCamera, above = plan ? 0.05 : 0.9;
    const {x: eyeX, y: eyeY, z: eyeZ} = camera.position, {x: aheadX, y: aheadY, z: aheadZ} = camera.getWorldDirection(new THREE.Vector3());
    const dotPlace = this.dots.getAttribute('position').array, dotColour = this.dots.getAttribute('colour').array;
    const place = this.discs.getAttribute('position').array, body = this.discs.getAttribute('body').array, colour = this.discs.getAttribute('colour').array;
    let discs = 0, dots = 0;
    for (let i = 0; i < crowd.n; ++i) {
      if (crowd.shown[i] === 0 || this.figured[i] === 1) continue;
      const x = crowd.x[i], y = crowd.y[i], z = crowd.z[i] + above, radius = agents.radius[crowd.serial[i]] || 0.24;
      const distance = plan ? 1 : (x - eyeX) * aheadX + (y - eyeY) * aheadY + (z - eyeZ) * aheadZ;
      if (distance <= 0) continue;
      if (2 * radius * pixels < discPixels * distance) {
        dotPlace[3 * dots] = x;
        dotPlace[3 * dots + 1] = y;
        dotPlace[3 * dots + 2] = z;
        dotColour[4 * dots] = 255 * colours[3 * i] + 0.5;
        dotColour[4 * dots + 1] = 255 * colours[3 * i + 1] + 0.5;
        dotColour[4 * dots + 2] = 255 * colours[3 * i + 2] + 0.5;
        ++dots;
        continue;
      }
      place[3 * discs] = x;
      place[3 * discs + 1] = y;
      place[3 * discs + 2] = z;
      body[2 * discs] = radius;
      body[2 * discs + 1] = crowd.heading[i];
      colour[3 * discs] = colours[3 * i];
      colour[3 * discs + 1] = colours[3 * i + 1];
      colour[3 * discs + 2] = colours[3 * i + 2];
      ++discs;
    }
    written(this.dots, dots);
    written(this.discs, discs);
  }

  private drawFigures(crowd: Crowd, agents: Agents, colours: Float32Array): void {
    const place = this.figures.getAttribute('place'), gait = this.figures.getAttribute('gait'), colour = this.figures.getAttribute('colour');
    this.near.forEach((i, k) => {
      const serial = crowd.serial[i], scale = (0.92 + ((serial * 7919) % 17) / 100) * Math.min(1.3, Math.max(0.6, (agents.radius[serial] || 0.24) / 0.24)) ;
      place.setXYZW(k, crowd.x[i], crowd.y[i], crowd.z[i], crowd.heading[i]);
      gait.setXYZW(k, (crowd.walkedBy(serial) * 2 * Math.PI) / 1.4 + serial, Math.min(1, crowd.speed[i] / 1.2), scale, 0);
      colour.setXYZ(k, colours[3 * i], colours[3 * i + 1], colours[3 * i + 2]);
    });
    this.figures.instanceCount = this.near.length;
    for (const attribute of [place, gait, colour]) attribute.needsUpdate = true;
  }

  private reserve(n: number): void {
    if (n <= this.capacity && this.capacity > 0) return;
    const room = (this.capacity = Math.ceil(n * 1.3) + 64);
    this.figured = new Uint8Array(room);
    this.dots.setAttribute('position', column(room, 3));
    this.dots.setAttribute('colour', column(room, 4, true));
    this.discs.setAttribute('position', column(room, 3));
    this.discs.setAttribute('body', column(room, 2));
    this.discs.setAttribute('colour', column(room, 3));
  }
}
