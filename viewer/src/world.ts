// The world as it was drawn: floors, walls with height, obstacles, stairs as ramps; and where a place of it is.
import * as THREE from 'three';
import {Pack} from './pack';
import {Rgb, Theme, terrainColour} from './colours';

export interface Ring {
  points: Float32Array;  // x, y
}
export type Polygon = Ring[];  // the outer ring, then holes

export interface WorldLayer {
  id: string;
  elevation: {z?: number; from?: number[]; to?: number[]; stairs?: boolean};
  free: Polygon[];
  walls: Ring[];
  regions: {type: string; polygons: Polygon[]}[];
  areas: {name: string; polygons: Polygon[]}[];
  low: number;   // heights
  high: number;
}

export interface WorldData {
  origin: [number, number];
  box: [number, number, number, number];
  layers: WorldLayer[];
  connections: [number, number, number, number, number, number][];
}

export function readWorld(pack: Pack): WorldData {
  const points = pack.f32('points');
  const ring = ([first, count]: [number, number]): Ring => ({points: points.subarray(2 * first, 2 * (first + count))});
  const polygons = (list: [number, number][][]): Polygon[] => list.map(rings => rings.map(ring));
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const layers = pack.head.layers.map((layer: any): WorldLayer => {
    const e = layer.elevation;
    const heights = e.from ? [e.from[2], e.to[2]] : [e.z, e.z];
    return {id: layer.id, elevation: e, free: polygons(layer.free), walls: layer.walls.map(ring),
            regions: layer.regions.map((r: {type: string; polygons: [number, number][][]}) => ({type: r.type, polygons: polygons(r.polygons)})),
            areas: layer.areas.map((a: {name: string; polygons: [number, number][][]}) => ({name: a.name, polygons: polygons(a.polygons)})),
            low: Math.min(...heights), high: Math.max(...heights)};
  });
  return {origin: pack.head.origin, box: pack.head.box, layers, connections: pack.head.connections};
}

export function heightAt(layer: WorldLayer, x: number, y: number): number {
  const e = layer.elevation;
  if (!e.from || !e.to) return e.z ?? 0;
  const dx = e.to[0] - e.from[0], dy = e.to[1] - e.from[1], length2 = dx * dx + dy * dy;
  const t = length2 > 0 ? Math.min(1, Math.max(0, ((x - e.from[0]) * dx + (y - e.from[1]) * dy) / length2)) : 0;
  return e.from[2] + t * (e.to[2] - e.from[2]);
}

export function insideRings(rings: Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const {points} of rings)
    for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2)
      if (points[i + 1] > y !== points[j + 1] > y &&
          x < ((points[j] - points[i]) * (y - points[i + 1])) / (points[j + 1] - points[i + 1]) + points[i])
        inside = !inside;
  return inside;
}

export function isFree(layer: WorldLayer, x: number, y: number): boolean {
  return layer.free.some(polygon => insideRings(polygon, x, y));
}

/** Storeys: the distinct heights of level layers, lowest first. */
export function storeysOf(world: WorldData): {name: string; z: number}[] {
  const storeys: {names: string[]; z: number}[] = [];
  for (const layer of world.layers) {
    if (layer.elevation.from) continue;
    const same = storeys.find(s => Math.abs(s.z - layer.low) < 0.01);
    if (same) same.names.push(layer.id);
    else storeys.push({names: [layer.id], z: layer.low});
  }
  storeys.sort((a, b) => a.z - b.z);
  const name = (names: string[]): string => (names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', '));
  return storeys.map(s => ({name: `${name(s.names)} (${s.z.toFixed(1)} m)`, z: s.z}));
}

const vector = (points: Float32Array, i: number): THREE.Vector2 => new THREE.Vector2(points[2 * i], points[2 * i + 1]);
const vectors = (ring: Ring): THREE.Vector2[] => Array.from({length: ring.points.length / 2}, (_, i) => vector(ring.points, i));

interface Triangles {
  points: THREE.Vector2[];
  triangles: number[][];
}
const triangulated = new WeakMap<Polygon, Triangles>();

/** Triangles of polygons, x and y. Of a large floor they take long, and sliders ask for the same ones again and again. */
export function triangulate(polygon: Polygon): Triangles {
  const known = triangulated.get(polygon);
  if (known) return known;
  const rings = polygon.map(vectors), made = {points: rings.flat(), triangles: THREE.ShapeUtils.triangulateShape(rings[0], rings.slice(1))};
  triangulated.set(polygon, made);
  return made;
}

/** What the building looks like now: how far storeys are lifted apart, which are shown, how high walls are. */
export interface Shown {
  lift: number;
  storey: number | null;  // its height
  walls: number;
  plan: boolean;          // from above: only what is shown, no faint storeys
}

/** Of walls whose other side is not known, in metres. */
const rimWidth = 0.1;

/** How much is left of floors over what is looked at. */
const faint = 0.13;

/** Collects triangles with a colour each. */
class Soup {
  readonly position: number[] = [];
  readonly colour: number[] = [];
  add(p: [number, number, number], c: Rgb): void {
    this.position.push(...p);
    this.colour.push(...c);
  }
  mesh(material: THREE.Material): THREE.Mesh {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(this.position, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(this.colour, 3));
    return new THREE.Mesh(geometry, material);
  }
}

const flat = (): THREE.MeshBasicMaterial =>
  new THREE.MeshBasicMaterial({vertexColors: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});

/** The building as meshes. Rebuilt where what is shown changes: buildings are small beside crowds. */
export class Building {
  readonly group = new THREE.Group();
  shown: Shown = {lift: 1, storey: null, walls: 1.2, plan: false};
  /** By layer: its height as it is shown where it is level, NaN where it slopes; and whether it is shown. Crowds ask for every person. */
  levels = new Float64Array(0);
  visible = new Uint8Array(0);

  constructor(public world: WorldData, private theme: Theme) {
    this.rebuild();
  }

  setWorld(world: WorldData): void {
    this.world = world;
    this.rebuild();
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    this.rebuild();
  }
  show(shown: Partial<Shown>): void {
    this.shown = {...this.shown, ...shown};
    this.rebuild();
  }

  /** Whether a layer is on the chosen storey: stairs are shown with both of theirs. */
  isShown(layer: number): boolean {
    const l = this.world.layers[layer], z = this.shown.storey;
    return z === null || !l || (l.low <= z + 0.01 && l.high >= z - 0.01);
  }
  /** A floor that would hide what is looked at: drawn so that one sees through it. Of all storeys, every one over the lowest. */
  isFaint(layer: number): boolean {
    const l = this.world.layers[layer], z = this.shown.storey;
    if (this.shown.plan || l.elevation.from) return z !== null && !this.isShown(layer) && l.low > z;
    return z === null ? l.low > this.lowest + 0.01 : l.low > z + 0.01;
  }
  private get lowest(): number { return Math.min(...this.world.layers.map(l => l.low)); }

  /** The box of what is shown; of everything where nothing is. */
  shownBox(): [number, number, number, number] {
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    this.world.layers.forEach((layer, i) => {
      if (!this.isShown(i) || (this.shown.storey !== null && layer.elevation.from)) return;
      for (const polygon of layer.free)
        for (let k = 0; k < polygon[0].points.length; k += 2) {
          const x = polygon[0].points[k], y = polygon[0].points[k + 1];
          box[0] = Math.min(box[0], x), box[1] = Math.min(box[1], y), box[2] = Math.max(box[2], x), box[3] = Math.max(box[3], y);
        }
    });
    return box[0] <= box[2] ? box : this.world.box;
  }
  shownHeights(): {low: number; high: number} {
    const shown = this.world.layers.filter((_, i) => this.isShown(i));
    return {low: Math.min(...shown.map(l => l.low)) * this.shown.lift, high: Math.max(...shown.map(l => l.high)) * this.shown.lift + this.shown.walls};
  }
  z(layer: number, x: number, y: number): number {
    const l = this.world.layers[layer];
    return l ? heightAt(l, x, y) * this.shown.lift : 0;
  }

  /** The place under a ray: the nearest floor it meets. */
  hit(ray: THREE.Ray): {x: number; y: number; layer: number} | null {
    let best: {x: number; y: number; layer: number} | null = null, nearest = Infinity;
    const solid = this.world.layers.some((_, i) => this.isShown(i) && !this.isFaint(i) && this.meets(i, ray));
    this.world.layers.forEach((layer, i) => {
      if (!this.isShown(i) || (solid && this.isFaint(i) && this.shown.storey !== null)) return;
      const p = this.onPlane(layer, ray);
      if (!p || !isFree(layer, p.x, p.y)) return;
      const distance = p.distanceToSquared(ray.origin);
      if (distance < nearest) nearest = distance, best = {x: p.x, y: p.y, layer: i};
    });
    return best;
  }

  /** A place on the storey's plane, in walls and beside the floor too. */
  onStorey(ray: THREE.Ray): {x: number; y: number; layer: number} | null {
    let best: {x: number; y: number; layer: number} | null = null, nearest = Infinity;
    this.world.layers.forEach((layer, i) => {
      if (!this.isShown(i) || layer.elevation.from) return;
      const p = this.onPlane(layer, ray), [x0, y0, x1, y1] = this.world.box;
      if (!p || p.x < x0 || p.y < y0 || p.x > x1 || p.y > y1) return;
      const distance = p.distanceToSquared(ray.origin);
      if (distance < nearest) nearest = distance, best = {x: p.x, y: p.y, layer: i};
    });
    return best;
  }
  private meets(layer: number, ray: THREE.Ray): boolean {
    const p = this.onPlane(this.world.layers[layer], ray);
    return p !== null && isFree(this.world.layers[layer], p.x, p.y);
  }
  /** Whether a floor that is not faint lies between the ray's origin and a place so far away. */
  hides(ray: THREE.Ray, distance: number): boolean {
    return this.world.layers.some((layer, i) => {
      if (this.isFaint(i) || (!this.isShown(i) && this.shown.plan)) return false;
      const p = this.onPlane(layer, ray);
      return p !== null && p.distanceTo(ray.origin) < distance - 1.2 && isFree(layer, p.x, p.y);
    });
  }

  /** The shown layer at a point whose floor is nearest to a height. */
  layerAt(x: number, y: number, z: number): number {
    let best = -1, nearest = Infinity;
    this.world.layers.forEach((layer, i) => {
      const apart = Math.abs(this.z(i, x, y) - z);
      if (apart < nearest && isFree(layer, x, y)) nearest = apart, best = i;
    });
    return best;
  }

  /** A ray and the plane of a layer; a ramp's plane is met by going on from its level plane a few times. */
  private onPlane(layer: WorldLayer, ray: THREE.Ray): THREE.Vector3 | null {
    const p = new THREE.Vector3();
    let z = ((layer.low + layer.high) / 2) * this.shown.lift;
    for (let i = 0; i < (layer.elevation.from ? 12 : 1); ++i) {
      const t = (z - ray.origin.z) / ray.direction.z;
      if (!(t > 0) || !Number.isFinite(t)) return null;
      ray.at(t, p);
      z = heightAt(layer, p.x, p.y) * this.shown.lift;
    }
    return p;
  }

  private rebuild(): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      (child as THREE.Mesh).geometry?.dispose();
    }
    this.levels = Float64Array.from(this.world.layers, layer => (layer.elevation.from ? NaN : layer.low * this.shown.lift));
    this.visible = Uint8Array.from(this.world.layers, (_, i) => Number(this.isShown(i)));
    const floors = new Soup(), over = new Soup(), walls = new Soup(), edges: number[] = [];
    this.world.layers.forEach((layer, i) => {
      const isFaint = this.isFaint(i), below = !this.shown.plan && this.shown.storey !== null && layer.high < this.shown.storey + 0.01;
      if (!this.isShown(i) && !below && (this.shown.plan || !isFaint)) return;
      const colour = layer.elevation.stairs ? this.theme.stairs : layer.elevation.from ? this.theme.stairs : this.theme.floor;
      for (const polygon of layer.free) this.floor(isFaint ? over : floors, i, polygon, colour, 0);
      if (isFaint) this.outline(edges, layer, i);
      else this.wallsOf(walls, edges, layer, i);
    });
    this.group.add(floors.mesh(flat()));
    if (over.position.length > 0) {
      const sheet = over.mesh(Object.assign(flat(), {transparent: true, opacity: faint, depthWrite: false}));
      sheet.renderOrder = 0.5;
      this.group.add(sheet);
    }
    if (walls.position.length > 0) {
      const mesh = walls.mesh(new THREE.MeshLambertMaterial({vertexColors: true, side: THREE.DoubleSide, flatShading: true}));
      mesh.geometry.computeVertexNormals();
      this.group.add(mesh);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(edges, 3));
    this.group.add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({color: new THREE.Color().setRGB(...this.theme.wallTop, THREE.SRGBColorSpace)})));
  }

  /** Triangles of a polygon on a layer's floor; `above` lifts it a little, so that it is seen over what lies below. */
  floor(soup: {add(p: [number, number, number], c: Rgb): void}, layer: number, polygon: Polygon, colour: Rgb, above: number): void {
    const linear = new THREE.Color().setRGB(...colour, THREE.SRGBColorSpace);
    const {points, triangles} = triangulate(polygon);
    for (const triangle of triangles)
      for (const i of triangle) {
        const p = points[i];
        soup.add([p.x, p.y, this.z(layer, p.x, p.y) + above], [linear.r, linear.g, linear.b]);
      }
  }

  /** Where the edge of a faint floor runs. */
  private outline(edges: number[], layer: WorldLayer, i: number): void {
    for (const polygon of layer.free)
      for (const {points} of polygon)
        for (let k = 0, n = points.length / 2; k < n; ++k) {
          const [x0, y0, x1, y1] = [points[2 * k], points[2 * k + 1], points[2 * ((k + 1) % n)], points[2 * ((k + 1) % n) + 1]];
          edges.push(x0, y0, this.z(i, x0, y0), x1, y1, this.z(i, x1, y1));
        }
  }

  private wallsOf(soup: Soup, edges: number[], layer: WorldLayer, i: number): void {
    const height = this.shown.walls;
    const side = new THREE.Color().setRGB(...this.theme.wall, THREE.SRGBColorSpace);
    const colour: Rgb = [side.r, side.g, side.b];
    const open = this.connectionsOf(i);
    const band = (points: Float32Array, a: number, b: number): void => {
      const [x0, y0, x1, y1] = [points[2 * a], points[2 * a + 1], points[2 * b], points[2 * b + 1]];
      if (open.some(c => onSegment(c, x0, y0) && onSegment(c, x1, y1))) return;
      const z0 = this.z(i, x0, y0), z1 = this.z(i, x1, y1);
      edges.push(x0, y0, z0 + height, x1, y1, z1 + height);
      if (height <= 0) return;
      const corners: [number, number, number][] = [[x0, y0, z0], [x1, y1, z1], [x1, y1, z1 + height], [x0, y0, z0 + height]];
      for (const k of [0, 1, 2, 0, 2, 3]) soup.add(corners[k], colour);
    };
    for (const polygon of layer.free)
      for (const ring of polygon)
        for (let k = 0, n = ring.points.length / 2; k < n; ++k) band(ring.points, k, (k + 1) % n);
    if (height > 0 && !this.shown.plan) for (const polygon of layer.free) this.rim(soup, i, polygon[0], height);
    for (const wall of layer.walls)
      for (let k = 1; k < wall.points.length / 2; ++k) band(wall.points, k - 1, k);
    if (height > 0) this.caps(soup, layer, i, height);
  }

  /** What one sees of a wall from above: a strip of its top, outside of the floor. How thick walls are the free space does not say. */
  private rim(soup: Soup, i: number, {points}: Ring, height: number): void {
    const n = points.length / 2, colour: Rgb = this.theme.wallTop, top = new THREE.Color().setRGB(...colour, THREE.SRGBColorSpace), c: Rgb = [top.r, top.g, top.b], open = this.connectionsOf(i);
    // Floors lie on the left of their rings.
    const outward = (k: number): [number, number] => {
      const a = k % n, b = (k + 1) % n, dx = points[2 * b] - points[2 * a], dy = points[2 * b + 1] - points[2 * a + 1], length = Math.hypot(dx, dy) || 1;
      return [dy / length, -dx / length];
    };
    const corner = (k: number): [number, number, number] => {
      const [a, b] = [outward(k + n - 1), outward(k)], m = Math.max(0.4, 1 + a[0] * b[0] + a[1] * b[1]), x = points[2 * (k % n)], y = points[2 * (k % n) + 1];
      return [x + (rimWidth * (a[0] + b[0])) / m, y + (rimWidth * (a[1] + b[1])) / m, this.z(i, x, y) + height];
    };
    for (let k = 0; k < n; ++k) {
      const b = (k + 1) % n, [x0, y0, x1, y1] = [points[2 * k], points[2 * k + 1], points[2 * b], points[2 * b + 1]];
      if (open.some(o => onSegment(o, x0, y0) && onSegment(o, x1, y1))) continue;
      const inner: [number, number, number][] = [[x0, y0, this.z(i, x0, y0) + height], [x1, y1, this.z(i, x1, y1) + height]], [p, q] = [corner(k), corner(b)];
      for (const v of [inner[0], inner[1], q, inner[0], q, p]) soup.add(v, c);
    }
  }

  /** The tops of obstacles: holes of free space, less what is free again inside them. */
  private caps(soup: Soup, layer: WorldLayer, i: number, height: number): void {
    const top: Rgb = this.theme.wallTop, open = this.connectionsOf(i);
    const leadsOn = (hole: Ring): boolean => open.some(c => {
      for (let k = 0; k < hole.points.length; k += 2)
        if (onSegment(c, hole.points[k], hole.points[k + 1])) return true;
      return false;
    });
    for (const polygon of layer.free)
      for (const hole of polygon.slice(1)) {
        if (leadsOn(hole)) continue;  // a shaft with stairs in it
        const islands = layer.free.filter(other => other !== polygon && insideRings([hole], other[0].points[0], other[0].points[1]));
        this.floor(soup, i, [hole, ...islands.map(island => island[0])], top, height);
      }
  }

  private connectionsOf(layer: number): [number, number, number, number][] {
    return this.world.connections.filter(c => c[4] === layer || c[5] === layer).map(c => [c[0], c[1], c[2], c[3]]);
  }
}

function onSegment([ax, ay, bx, by]: [number, number, number, number], x: number, y: number): boolean {
  const dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length2));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy) < 0.02;
}

export {terrainColour};
