// What can be laid over the floor: the mesh in its parts, ground, named areas, routes, the heat map, trails, what is seen from a place.
import * as THREE from 'three';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {LineSegments2} from 'three/examples/jsm/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import {getJson, getPack} from './api';
import {category, clearanceRow, css, Rgb, terrainColour} from './colours';
import {Crowd} from './crowd';
import {Frames} from './frames';
import {HeatMap} from './heat';
import {Pack} from './pack';
import {Building} from './world';

export type LayerName = 'heat' | 'areas' | 'terrain' | 'routes' | 'axis' | 'cells' | 'clearance' | 'passages' | 'regions' | 'see';

const meshLayers: LayerName[] = ['axis', 'cells', 'clearance', 'passages', 'regions'];
/** Metres above the floor, in the order in which they are to be seen. */
const above: Record<LayerName | 'trails' | 'way', number> = {terrain: 0.01, clearance: 0.02, regions: 0.025, areas: 0.03, heat: 0.04, see: 0.05,
                                                             cells: 0.055, axis: 0.06, passages: 0.07, routes: 0.08, trails: 0.09, way: 0.1};
const mostTrails = 4000;

/** Of the chosen person: walked so far, walked later, planned. The key beside the picture names them (style.css). */
export const wayColours: Record<'behind' | 'later' | 'route', Rgb> = {behind: [0.55, 0.57, 0.6], later: [0.25, 0.6, 0.9], route: [0.85, 0.1, 0.25]};

function linear(c: Rgb): Rgb {
  const colour = new THREE.Color().setRGB(...c, THREE.SRGBColorSpace);
  return [colour.r, colour.g, colour.b];
}

/** Grounds in the dark: their hue, at the brightness of its floors. */
const dimmed = (c: Rgb): Rgb => c.map(v => 0.13 + 0.22 * (v - 0.6)) as Rgb;

class Triangles {
  private readonly position: number[] = [];
  private readonly colour: number[] = [];
  add(p: [number, number, number], c: Rgb): void {
    this.position.push(...p);
    this.colour.push(...c);
  }
  mesh(opacity: number): THREE.Mesh {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(this.position, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(this.colour, 3));
    return new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({vertexColors: true, transparent: opacity < 1, opacity, side: THREE.DoubleSide, depthWrite: false}));
  }
}

function lines(position: number[], colour: Rgb | number[]): THREE.LineSegments {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  const each = colour.length === position.length;
  if (each) geometry.setAttribute('color', new THREE.Float32BufferAttribute(colour as number[], 3));
  const material = new THREE.LineBasicMaterial({vertexColors: each});
  if (!each) material.color.setRGB(...(colour as Rgb), THREE.SRGBColorSpace);
  return new THREE.LineSegments(geometry, material);
}

/** Lines that are more than a pixel wide and seen through walls and floors: for the few that are to be found at once. */
export function drawnLines(position: number[], colour: number[], pixels: number): THREE.Object3D {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(position);
  geometry.setColors(colour);
  const segments = new LineSegments2(geometry, new LineMaterial({vertexColors: true, linewidth: pixels, depthTest: false, transparent: true}));
  segments.frustumCulled = false;
  segments.renderOrder = 9;  // below people
  return segments;
}

/** A text that faces the camera, of the same size everywhere; whoever owns it sets its scale by `userData.screen`. */
export function screenLabel(text: string, [x, y, z]: [number, number, number], colour: string): THREE.Sprite {
  const canvas = document.createElement('canvas'), context = canvas.getContext('2d')!;
  context.font = '600 30px system-ui, sans-serif';
  canvas.width = Math.ceil(context.measureText(text).width) + 28;
  canvas.height = 46;
  context.font = '600 30px system-ui, sans-serif';
  context.fillStyle = 'rgba(255, 255, 255, 0.88)';
  context.beginPath();
  context.roundRect(0, 0, canvas.width, canvas.height, 12);
  context.fill();
  context.fillStyle = colour;
  context.textBaseline = 'middle';
  context.fillText(text, 14, 24);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({map, sizeAttenuation: false, depthTest: false, transparent: true}));
  sprite.position.set(x, y, z);
  sprite.scale.set((0.03 * canvas.width) / canvas.height, 0.03, 1);
  sprite.userData.screen = [canvas.width, canvas.height];
  sprite.renderOrder = 8;  // below people: nobody is hidden by a name
  return sprite;
}

/** A drop that points down, of the same size everywhere; `fitLabels` sets it. */
function pin(): THREE.Sprite {
  const canvas = Object.assign(document.createElement('canvas'), {width: 64, height: 88}), context = canvas.getContext('2d')!;
  context.beginPath();
  context.arc(32, 30, 24, Math.PI * 0.85, Math.PI * 0.15);
  context.lineTo(32, 84);
  context.closePath();
  context.fillStyle = '#ff1abf';
  context.strokeStyle = '#ffffff';
  context.lineWidth = 6;
  context.fill();
  context.stroke();
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({map, sizeAttenuation: false, depthTest: false, transparent: true}));
  sprite.center.set(0.5, 0);
  sprite.userData.screen = [64, 88];
  sprite.renderOrder = 30;
  return sprite;
}

function dispose(object: THREE.Object3D): void {
  object.traverse(part => {
    (part as THREE.Mesh).geometry?.dispose();
    const material = (part as THREE.Mesh).material;
    if (material && !Array.isArray(material)) material.dispose();
  });
}

export class Overlays {
  readonly group = new THREE.Group();
  private readonly parts = new Map<string, THREE.Object3D>();
  private readonly on = new Set<LayerName>(['terrain']);
  private mesh: Pack | null = null;
  private heat: HeatMap | null = null;
  private seeAt: {x: number; y: number; layer: number} | null = null;
  private seeBusy = false;
  private dropped = '';
  private pin: THREE.Sprite | null = null;
  private routesAsked = 0;
  trails = 0;  // seconds
  private dark = false;
  onChange: () => void = () => {};
  onError: (what: string) => void = () => {};
  /** The mesh came: what legends say of it is known. */
  onMesh: () => void = () => {};
  /** What the mesh consists of, once it is known. */
  meshFigures: Record<string, number> | null = null;

  constructor(private readonly building: Building) {
    this.rebuild();
  }

  isOn(layer: LayerName): boolean { return this.on.has(layer); }
  countOf(layer: string): number { return this.parts.get(layer)?.visible ? 1 : 0; }

  set(layer: LayerName, on: boolean): void {
    if (on) this.on.add(layer);
    else this.on.delete(layer);
    if (!on) this.remove(layer);
    else this.make(layer);
    this.onChange();
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    if (this.on.has('terrain')) this.make('terrain');
  }

  /** The world changed: everything that hangs on it is made anew. */
  worldChanged(): void {
    this.mesh = null;
    this.remove('see');
    this.rebuild();
  }

  rebuild(): void {
    this.remove('heat');  // made again when people are drawn
    for (const layer of this.on) this.make(layer);
  }

  private make(layer: LayerName): void {
    if (layer === 'areas') this.put('areas', this.areas());
    if (layer === 'terrain') this.put('terrain', this.terrain());
    if (layer === 'routes') void this.routes();
    if (meshLayers.includes(layer)) void this.meshLayer(layer);
  }

  private put(name: string, object: THREE.Object3D): void {
    this.remove(name);
    // In the order in which they lie above each other, and after the floors: not all of them write depth.
    const order = 1 + 10 * (above[name as LayerName] ?? 0.2);
    // Not on groups: three.js would sort their labels by it too.
    object.traverse(part => { if (!(part instanceof THREE.Sprite || part instanceof THREE.Group)) part.renderOrder = order; });
    this.parts.set(name, object);
    this.group.add(object);
    this.onChange();
  }
  private remove(name: string): void {
    const old = this.parts.get(name);
    if (!old) return;
    this.group.remove(old);
    dispose(old);
    this.parts.delete(name);
    if (name !== 'heat') return;
    this.heat?.dispose();
    this.heat = null;
  }

  private areas(): THREE.Object3D {
    const soup = new Triangles(), group = new THREE.Group();
    const names: string[] = [];
    this.building.world.layers.forEach((layer, i) => {
      if (!this.building.isShown(i)) return;
      for (const area of layer.areas) {
        if (!names.includes(area.name)) names.push(area.name);
        const colour = category(this.areaNumber(area.name));
        for (const polygon of area.polygons) this.building.floor(soup, i, polygon, colour, above.areas);
        if (names.length <= 60) group.add(this.label(area.name, i, area.polygons[0][0].points, colour));
      }
    });
    group.add(soup.mesh(0.4));
    return group;
  }

  /** An area keeps its colour whichever storeys are shown. */
  private areaNumber(name: string): number {
    const all: string[] = [];
    for (const layer of this.building.world.layers) for (const area of layer.areas) if (!all.includes(area.name)) all.push(area.name);
    return all.indexOf(name);
  }

  /** A name in the middle of a ring. */
  private label(text: string, layer: number, points: Float32Array, colour: Rgb): THREE.Sprite {
    let x = 0, y = 0;
    for (let i = 0; i < points.length; i += 2) x += points[i], y += points[i + 1];
    x /= points.length / 2;
    y /= points.length / 2;
    return screenLabel(text, [x, y, this.building.z(layer, x, y) + 1], css(colour.map(v => v * 0.7) as Rgb));
  }

  /** Labels and the pin keep their size on the screen in the plan too. */
  fitLabels(camera: THREE.Camera): void {
    const plan = camera instanceof THREE.OrthographicCamera;
    const fit = (sprite: THREE.Sprite, part: number): void => {
      const height = plan ? (part * (camera.top - camera.bottom)) / camera.zoom : 0.93 * part;
      sprite.scale.set((height * sprite.userData.screen[0]) / sprite.userData.screen[1], height, 1);
    };
    if (this.pin) fit(this.pin, 0.045);
    const taken: [number, number, number, number][] = [], place = new THREE.Vector3();
    for (const child of this.parts.get('areas')?.children ?? []) {
      if (!(child instanceof THREE.Sprite)) continue;
      fit(child, 0.032);
      // Names that would cover each other: the first stays. In units of half the window's height.
      place.copy(child.position).project(camera);
      const aspect = plan ? (camera.right - camera.left) / (camera.top - camera.bottom) : (camera as THREE.PerspectiveCamera).aspect;
      const h = 0.034, w = (h * child.userData.screen[0]) / child.userData.screen[1] / aspect;
      const spot: [number, number, number, number] = [place.x - w, place.y - h, place.x + w, place.y + h];
      child.visible = place.z < 1 && !taken.some(t => t[0] < spot[2] && t[2] > spot[0] && t[1] < spot[3] && t[3] > spot[1]);
      if (child.visible) taken.push(spot);
    }
  }

  private terrain(): THREE.Object3D {
    const soup = new Triangles();
    this.building.world.layers.forEach((layer, i) => {
      if (!this.building.isShown(i)) return;
      for (const region of layer.regions)
        for (const polygon of region.polygons) this.building.floor(soup, i, polygon, this.dark ? dimmed(terrainColour(region.type)) : terrainColour(region.type), above.terrain);
    });
    return soup.mesh(1);
  }

  // --- the mesh

  private async meshLayer(layer: LayerName): Promise<void> {
    try {
      const version = this.building.world;
      const mesh = this.mesh ?? (await getPack('api/mesh'));
      if (version !== this.building.world) return;
      this.mesh = mesh;
      const {vertices, edges, cells, passages, regions} = mesh.head;
      this.meshFigures = {vertices, edges, cells, passages, regions};
      this.widest = Math.max(0.1, mesh.head.widest);
      this.onMesh();
      if (!this.on.has(layer)) return;
      if (layer === 'axis') this.put(layer, this.axis(mesh));
      if (layer === 'cells') this.put(layer, this.segments(mesh.f32('cell'), mesh.u16('cell_layer'), 2, above.cells, [0.45, 0.52, 0.6]));
      if (layer === 'passages') this.put(layer, this.segments(mesh.f32('passage'), mesh.u16('passage_layer'), 2, above.passages, [0.8, 0, 0.4]));
      if (layer === 'clearance') this.put(layer, this.clearance(mesh));
      if (layer === 'regions') {
        const region = mesh.u32('surface_region');
        this.put(layer, this.surface(mesh, k => category(region[k]).map(v => 0.35 + 0.65 * v) as Rgb, above.regions));
      }
    } catch (error) {
      this.onError(`The mesh did not come: ${(error as Error).message}`);
    }
  }

  /** The number goes to the shader, which looks its colour up: colours mixed between corners would be of no number. */
  private clearance(mesh: Pack): THREE.Object3D {
    const surface = mesh.f32('surface'), layers = mesh.u16('surface_layer'), position: number[] = [], value: number[] = [];
    for (let k = 0; k < layers.length; ++k) {
      if (!this.building.isShown(layers[k])) continue;
      const x = surface[3 * k], y = surface[3 * k + 1];
      position.push(x, y, this.building.z(layers[k], x, y) + above.clearance);
      value.push(surface[3 * k + 2]);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
    geometry.setAttribute('clearance', new THREE.Float32BufferAttribute(value, 1));
    const row = new THREE.DataTexture(clearanceRow(), 256, 1);
    row.needsUpdate = true;
    return new THREE.Mesh(geometry, new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, side: THREE.DoubleSide, uniforms: {row: {value: row}, widest: {value: this.widest}},
      vertexShader: 'attribute float clearance; varying float vClearance; void main() { vClearance = clearance; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: 'uniform sampler2D row; uniform float widest; varying float vClearance; void main() { float t = clamp(sqrt(max(0.0, vClearance) / widest), 0.0, 1.0); gl_FragColor = vec4(texture2D(row, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb, 1.0); }',
    }));
  }
  /** The widest clearance of the mesh, once it is known. */
  widest = 0;

  private axis(mesh: Pack): THREE.Object3D {
    return this.segments(mesh.f32('axis'), mesh.u16('axis_layer'), 3, above.axis, [0.12, 0.37, 0.65]);
  }

  private segments(points: Float32Array, layers: Uint16Array, stride: number, lift: number, colour: Rgb): THREE.Object3D {
    const position: number[] = [];
    layers.forEach((layer, i) => {
      if (!this.building.isShown(layer)) return;
      for (const end of [0, 1]) {
        const k = (2 * i + end) * stride;
        position.push(points[k], points[k + 1], this.building.z(layer, points[k], points[k + 1]) + lift);
      }
    });
    return lines(position, colour);
  }

  private surface(mesh: Pack, colourOf: (corner: number, surface: Float32Array) => Rgb, lift: number): THREE.Object3D {
    const surface = mesh.f32('surface'), layers = mesh.u16('surface_layer'), soup = new Triangles();
    for (let k = 0; k < layers.length; ++k) {
      if (!this.building.isShown(layers[k])) continue;
      const x = surface[3 * k], y = surface[3 * k + 1];
      soup.add([x, y, this.building.z(layers[k], x, y) + lift], linear(colourOf(k, surface)));
    }
    return soup.mesh(0.9);
  }

  // --- routes

  /** They change while people walk, and those of a recording are gathered in the background: asked for again every few seconds. */
  refreshRoutes(now: number): void {
    if (this.on.has('routes') && now - this.routesAsked > 3000) void this.routes();
  }

  private async routes(): Promise<void> {
    this.routesAsked = performance.now();
    try {
      const {ways} = await getJson<{ways: {serial: number; points: [number, number, number][]}[]}>('api/ways');
      if (!this.on.has('routes')) return;
      const position: number[] = [], colour: number[] = [];
      for (const way of ways) {
        const c = linear(category(way.serial));
        for (let i = 1; i < way.points.length; ++i) {
          const [x0, y0, l0] = way.points[i - 1], [x1, y1, l1] = way.points[i];
          if (!this.building.isShown(l0) || !this.building.isShown(l1)) continue;
          position.push(x0, y0, this.building.z(l0, x0, y0) + above.routes, x1, y1, this.building.z(l1, x1, y1) + above.routes);
          colour.push(...c, ...c);
        }
      }
      this.put('routes', lines(position, colour));
    } catch (error) {
      this.onError(`The routes did not come: ${(error as Error).message}`);
    }
  }

  /** A ring on a floor: what would come there. */
  showOutline(outline: {layer: number; ring: [number, number][]} | null): void {
    if (!outline) return this.remove('outline');
    const position: number[] = [], colour: number[] = [], c = linear([0.85, 0.1, 0.25]);
    outline.ring.forEach(([x, y], i) => {
      const [u, v] = outline.ring[(i + 1) % outline.ring.length];
      position.push(x, y, this.building.z(outline.layer, x, y) + 0.12, u, v, this.building.z(outline.layer, u, v) + 0.12);
      colour.push(...c, ...c);
    });
    this.put('outline', drawnLines(position, colour, 2.5));
  }

  /** Ways of the chosen person, the last on top. */
  showWays(ways: {points: [number, number, number, number?][]; colour: Rgb}[]): void {
    const position: number[] = [], colour: number[] = [];
    ways.forEach(({points, colour: c}, rank) => {
      const lift = above.way + 0.01 * rank;
      for (let i = 1; i < points.length; ++i) {
        const [x0, y0, l0] = points[i - 1], [x1, y1, l1] = points[i];
        if (!this.building.isShown(l0) || !this.building.isShown(l1)) continue;
        position.push(x0, y0, this.building.z(l0, x0, y0) + lift, x1, y1, this.building.z(l1, x1, y1) + lift);
        colour.push(...linear(c), ...linear(c));
      }
    });
    if (position.length === 0) return this.remove('way');
    this.put('way', drawnLines(position, colour, 3));
  }

  /** A pin over the chosen person, seen through walls and floors. */
  mark(place: [number, number, number] | null): void {
    if (!place) {
      if (this.pin) this.pin.visible = false;
      return;
    }
    if (!this.pin) this.group.add((this.pin = pin()));
    this.pin.visible = true;
    this.pin.position.set(place[0], place[1], place[2] + 1.9);
  }

  /** Lines from the person under the pointer to what they have in mind. */
  showMind(from: [number, number, number] | null, attraction: [number, number] | null, neighbours: [number, number, number][]): void {
    if (!from) return this.remove('mind');
    const position: number[] = [], colour: number[] = [];
    for (const [x, y, z] of neighbours) position.push(from[0], from[1], from[2] + 1, x, y, z + 1), colour.push(...linear([0.2, 0.45, 0.85]), ...linear([0.2, 0.45, 0.85]));
    if (attraction) {
      const [x, y] = attraction, z = from[2] + 0.15;
      position.push(from[0], from[1], z, x, y, z, x - 0.25, y, z, x + 0.25, y, z, x, y - 0.25, z, x, y + 0.25, z);
      for (let i = 0; i < 6; ++i) colour.push(...linear([0.85, 0.1, 0.25]));
    }
    this.put('mind', drawnLines(position, colour, 2));
  }

  // --- what can be seen from a place

  see(place: {x: number; y: number; layer: number} | null): void {
    this.seeAt = place;
    if (!this.on.has('see')) return;
    if (!place) return this.remove('see');
    if (!this.seeBusy) void this.fetchSight();
  }

  private async fetchSight(): Promise<void> {
    this.seeBusy = true;
    try {
      while (this.seeAt) {
        const place = this.seeAt;
        const {points} = await getJson<{points: [number, number, number][]}>(`api/see?x=${place.x}&y=${place.y}&layer=${place.layer}`);
        if (this.on.has('see') && this.seeAt) this.put('see', this.sight(place, points));
        if (this.seeAt === place) break;
      }
    } catch (error) {
      this.onError(`The view from the pointer did not come: ${(error as Error).message}`);
    } finally {
      this.seeBusy = false;
    }
  }

  private sight(place: {x: number; y: number; layer: number}, points: [number, number, number][]): THREE.Object3D {
    const soup = new Triangles(), colour = linear([0.98, 0.78, 0.2]);
    const z = (layer: number, x: number, y: number): number => this.building.z(layer, x, y) + above.see;
    points.forEach(([x, y, layer], i) => {
      const [u, v, other] = points[(i + 1) % points.length];
      soup.add([place.x, place.y, z(place.layer, place.x, place.y)], colour);
      soup.add([x, y, z(layer, x, y)], colour);
      soup.add([u, v, z(other, u, v)], colour);
    });
    return soup.mesh(0.5);
  }

  // --- what changes with the people

  drawHeat(crowd: Crowd): void {
    if (!this.on.has('heat')) return;
    if (!this.heat) {
      const heat = new HeatMap(this.building, above.heat);
      this.put('heat', heat.group);
      this.heat = heat;
    }
    this.heat.fill(crowd);
  }

  /** Where people were in the last seconds, as far as those frames are at hand. */
  drawTrails(crowd: Crowd, frames: Frames, colours: Float32Array): void {
    if (!this.trails) return this.remove('trails');
    const position: number[] = [], colour: number[] = [];
    const every = Math.ceil(crowd.n / mostTrails) || 1;
    let later: {x: ArrayLike<number>; y: ArrayLike<number>; layer: ArrayLike<number>; serial: ArrayLike<number>; length: number} = {x: crowd.x, y: crowd.y, layer: crowd.layer, serial: crowd.serial, length: crowd.n};
    const trailSeconds = this.trails, pace = Math.max(0.5, trailSeconds / 60);
    for (let back = pace; back <= trailSeconds; back += pace) {
      const frame = frames.near(crowd.time - back);
      if (!frame || crowd.time - back < frames.start) break;
      const fade = 1 - back / (trailSeconds + 1);
      let j = 0;
      for (let i = 0; i < frame.serial.length; ++i) {
        if (frame.serial[i] % every !== 0) continue;
        while (j < later.length && later.serial[j] < frame.serial[i]) ++j;
        if (j >= later.length || later.serial[j] !== frame.serial[i]) continue;
        const k = crowd.indexOf(frame.serial[i]);
        if (k < 0 || !this.building.isShown(frame.layer[i])) continue;
        if (Math.hypot(frame.x[i] - later.x[j], frame.y[i] - later.y[j]) > 5 + 2 * pace) continue;
        position.push(later.x[j], later.y[j], this.building.z(later.layer[j], later.x[j], later.y[j]) + above.trails,
                      frame.x[i], frame.y[i], this.building.z(frame.layer[i], frame.x[i], frame.y[i]) + above.trails);
        for (let end = 0; end < 2; ++end) for (let c = 0; c < 3; ++c) colour.push(colours[3 * k + c] * fade + 0.55 * (1 - fade));
      }
      later = {...frame, length: frame.serial.length};
    }
    this.put('trails', lines(position, colour));
  }

  /** Obstacles that were dropped while a run was recorded, as far as they stood at a time. */
  showDropped(standing: readonly {id: string; x: number; y: number; layer: number; size: number}[], origin: [number, number]): void {
    const names = standing.map(s => s.id).join();
    if (names === this.dropped) return;
    this.dropped = names;
    const group = new THREE.Group();
    for (const {x, y, layer, size} of standing) {
      const height = Math.max(0.3, this.building.shown.walls);
      const box = new THREE.Mesh(new THREE.BoxGeometry(size, size, height), new THREE.MeshLambertMaterial({color: 0x6f7a88}));
      const [px, py] = [x - origin[0], y - origin[1]];
      box.position.set(px, py, this.building.z(layer, px, py) + height / 2);
      if (this.building.isShown(layer)) group.add(box);
    }
    this.put('dropped', group);
  }
}
