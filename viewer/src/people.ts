// People as they are drawn: simple walking figures near the camera, discs with a heading far away and in the plan.
import * as THREE from 'three';
import {Agents} from './frames';
import {Crowd} from './crowd';

/** Figures at most; who is farther away, or smaller than `figurePixels`, is a disc. */
const mostFigures = 1200;
const figurePixels = 14;
const bodyHeight = 1.75;

const discVertex = `
  attribute vec3 colour;
  attribute vec2 body;  // radius, heading
  uniform float pixels;  // a metre at distance 1, or anywhere in the plan
  uniform bool plan;
  uniform vec2 viewport;
  uniform float least;
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
    vSize = max(least, size);
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
    if (vSize > 5.0) {
      // The front third is a nose in a darker shade; a thin rim tells bodies apart.
      float front = dot(p, vAhead), side = abs(dot(p, vec2(-vAhead.y, vAhead.x)));
      if (front > 0.35 && side < 0.9 * (1.15 - front)) c *= 0.42;
      if (vSize > 8.0 && r > 0.86) c *= 0.62;
    }
    gl_FragColor = vec4(c, 1.0);
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

export class PeopleView {
  readonly group = new THREE.Group();
  private readonly discs = new THREE.BufferGeometry();
  private readonly figures = figureGeometry();
  private readonly discMaterial = new THREE.ShaderMaterial({
    vertexShader: discVertex, fragmentShader: discFragment,
    uniforms: {pixels: {value: 1}, plan: {value: false}, viewport: {value: new THREE.Vector2(1, 1)}, least: {value: 3}},
  });
  private capacity = 0;
  private near: number[] = [];

  constructor() {
    const points = new THREE.Points(this.discs, this.discMaterial);
    const bodies = new THREE.Mesh(this.figures, new THREE.ShaderMaterial({vertexShader: figureVertex, fragmentShader: figureFragment}));
    points.frustumCulled = bodies.frustumCulled = false;
    points.renderOrder = 10;
    this.group.add(points, bodies);
  }

  /** How many are drawn as figures and as discs. */
  get counts(): {figures: number; discs: number} {
    return {figures: this.figures.instanceCount, discs: this.discs.drawRange.count};
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
    this.discMaterial.uniforms.least.value = crowd.n > 20000 ? 2 : 3.5;
    this.discMaterial.depthTest = !plan;
    const figured = plan ? new Set<number>() : this.chooseFigures(crowd, camera, pixels);
    this.drawDiscs(crowd, agents, colours, figured, plan ? 0.05 : 0.9);
    this.drawFigures(crowd, agents, colours);
  }

  /** Those large enough on the screen, the nearest first where they are too many. */
  private chooseFigures(crowd: Crowd, camera: THREE.Camera, pixels: number): Set<number> {
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
    this.near = candidates.map(c => c.i);
    return new Set(this.near);
  }

  private drawDiscs(crowd: Crowd, agents: Agents, colours: Float32Array, figured: Set<number>, above: number): void {
    const position = this.discs.getAttribute('position') as THREE.BufferAttribute;
    const body = this.discs.getAttribute('body') as THREE.BufferAttribute;
    const colour = this.discs.getAttribute('colour') as THREE.BufferAttribute;
    const [p, b, c] = [position.array, body.array, colour.array];
    let k = 0;
    for (let i = 0; i < crowd.n; ++i) {
      if (!crowd.shown[i] || (figured.size > 0 && figured.has(i))) continue;
      p[3 * k] = crowd.x[i];
      p[3 * k + 1] = crowd.y[i];
      p[3 * k + 2] = crowd.z[i] + above;
      b[2 * k] = agents.radius[crowd.serial[i]] || 0.24;
      b[2 * k + 1] = crowd.heading[i];
      c[3 * k] = colours[3 * i];
      c[3 * k + 1] = colours[3 * i + 1];
      c[3 * k + 2] = colours[3 * i + 2];
      ++k;
    }
    this.discs.setDrawRange(0, k);
    for (const attribute of [position, body, colour]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, k * attribute.itemSize);
      attribute.needsUpdate = true;
    }
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
    this.near = [];
  }

  private reserve(n: number): void {
    if (n <= this.capacity && this.capacity > 0) return;
    this.capacity = Math.ceil(n * 1.3) + 64;
    const attribute = (size: number): THREE.BufferAttribute => new THREE.BufferAttribute(new Float32Array(this.capacity * size), size).setUsage(THREE.DynamicDrawUsage);
    this.discs.setAttribute('position', attribute(3));
    this.discs.setAttribute('body', attribute(2));
    this.discs.setAttribute('colour', attribute(3));
  }
}
