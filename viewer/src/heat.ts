// The heat map: persons a square metre, each person spread over a Gaussian, as a picture on the floor of every layer. A picture, since a hundred
// thousand squares of their own take seconds to draw without a graphics card.
import * as THREE from 'three';
import {byHeat} from './colours';
import {Crowd} from './crowd';
import {Building, isFree, WorldLayer} from './world';

const width = 0.75;                    // metres: of the Gaussian
const leastSquare = 0.5, reach = 3;    // metres; squares to each side
const mostSquares = 4e6, longest = 4000;  // of a layer, and of its longer side: squares of large worlds are wider
const least = 0.35;                    // persons a square metre: below it the floor stays as it is
const slopeParts = 24;                 // of a ramp's picture, to each side

/** One layer: the density of every square, and which squares anybody reaches. */
class Sheet {
  readonly square: number;
  readonly mesh: THREE.Mesh;
  private readonly x0: number;
  private readonly y0: number;
  private readonly columns: number;
  private readonly rows: number;
  private readonly weights: Float32Array;
  private readonly free: Uint8Array;  // 0: not known yet, 1: no, 2: yes
  private readonly pixels: Uint8Array;
  private readonly texture: THREE.DataTexture;
  private readonly across = new Float64Array(2 * reach + 1);
  private touched = new Int32Array(1024);
  private count = 0;

  constructor(private readonly layer: WorldLayer, heightAt: (x: number, y: number) => number) {
    const [x0, y0, x1, y1] = boxOf(layer), w = x1 - x0, h = y1 - y0;
    this.square = Math.max(leastSquare, Math.ceil(2 * Math.max(Math.sqrt((w * h) / mostSquares), w / longest, h / longest)) / 2);
    this.x0 = x0 - (reach + 1) * this.square;
    this.y0 = y0 - (reach + 1) * this.square;
    this.columns = Math.ceil((x1 - this.x0) / this.square) + reach + 1;
    this.rows = Math.ceil((y1 - this.y0) / this.square) + reach + 1;
    this.weights = new Float32Array(this.columns * this.rows);
    this.free = new Uint8Array(this.columns * this.rows);
    this.pixels = new Uint8Array(4 * this.columns * this.rows);
    const lightest = byHeat(least).map(v => Math.round(255 * v));
    for (let i = 0; i < this.pixels.length; i += 4) this.pixels.set(lightest, i);  // edges fade to it, not to black
    this.texture = new THREE.DataTexture(this.pixels, this.columns, this.rows);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.magFilter = this.texture.minFilter = THREE.LinearFilter;
    this.mesh = new THREE.Mesh(this.plane(heightAt), new THREE.MeshBasicMaterial({map: this.texture, transparent: true, depthWrite: false, side: THREE.DoubleSide}));
    this.mesh.frustumCulled = false;
  }

  dispose(): void { this.texture.dispose(); }

  clear(): void {
    for (let i = 0; i < this.count; ++i) {
      this.weights[this.touched[i]] = 0;
      this.pixels[4 * this.touched[i] + 3] = 0;
    }
    this.count = 0;
  }

  spread(x: number, y: number): void {
    const cx = Math.floor((x - this.x0) / this.square), cy = Math.floor((y - this.y0) / this.square);
    if (cx < reach || cy < reach || cx >= this.columns - reach || cy >= this.rows - reach) return;
    const scale = 1 / (2 * width * width), whole = scale / Math.PI;
    for (let d = -reach; d <= reach; ++d) {
      const dx = this.x0 + (cx + d + 0.5) * this.square - x;
      this.across[d + reach] = Math.exp(-dx * dx * scale);
    }
    for (let d = -reach; d <= reach; ++d) {
      const dy = this.y0 + (cy + d + 0.5) * this.square - y, along = whole * Math.exp(-dy * dy * scale);
      const row = (cy + d) * this.columns + cx - reach;
      for (let k = 0; k <= 2 * reach; ++k) this.add(row + k, along * this.across[k]);
    }
  }

  paint(): void {
    for (let i = 0; i < this.count; ++i) {
      const at = this.touched[i], density = this.weights[at];
      if (density < least || !this.isFree(at)) continue;
      const [r, g, b] = byHeat(density);
      this.pixels[4 * at] = 255 * r;
      this.pixels[4 * at + 1] = 255 * g;
      this.pixels[4 * at + 2] = 255 * b;
      this.pixels[4 * at + 3] = Math.min(225, 110 + 40 * density);
    }
    this.texture.needsUpdate = true;
  }

  private add(at: number, weight: number): void {
    if (this.weights[at] === 0) {
      if (this.count === this.touched.length) {
        const more = new Int32Array(2 * this.count);
        more.set(this.touched);
        this.touched = more;
      }
      this.touched[this.count++] = at;
    }
    this.weights[at] += weight;
  }

  private isFree(at: number): boolean {
    if (this.free[at] === 0) {
      const row = Math.floor(at / this.columns), column = at - row * this.columns;
      this.free[at] = isFree(this.layer, this.x0 + (column + 0.5) * this.square, this.y0 + (row + 0.5) * this.square) ? 2 : 1;
    }
    return this.free[at] === 2;
  }

  private plane(heightAt: (x: number, y: number) => number): THREE.BufferGeometry {
    const parts = this.layer.elevation.from ? slopeParts : 1;
    const geometry = new THREE.PlaneGeometry(this.columns * this.square, this.rows * this.square, parts, parts);
    geometry.translate(this.x0 + (this.columns * this.square) / 2, this.y0 + (this.rows * this.square) / 2, 0);
    const position = geometry.getAttribute('position');
    for (let i = 0; i < position.count; ++i) position.setZ(i, heightAt(position.getX(i), position.getY(i)));
    return geometry;
  }
}

function boxOf(layer: WorldLayer): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const polygon of layer.free)
    for (let i = 0; i < polygon[0].points.length; i += 2) {
      const x = polygon[0].points[i], y = polygon[0].points[i + 1];
      box[0] = Math.min(box[0], x), box[1] = Math.min(box[1], y), box[2] = Math.max(box[2], x), box[3] = Math.max(box[3], y);
    }
  return box;
}

export class HeatMap {
  readonly group = new THREE.Group();
  private readonly sheets = new Map<number, Sheet>();

  constructor(private readonly building: Building, private readonly above: number) {}

  fill(crowd: Crowd): void {
    for (const sheet of this.sheets.values()) sheet.clear();
    for (let i = 0; i < crowd.n; ++i)
      if (crowd.shown[i] === 1) this.sheetOf(crowd.layer[i]).spread(crowd.x[i], crowd.y[i]);
    for (const sheet of this.sheets.values()) sheet.paint();
  }

  /** What is on the floor belongs to one world and one way to show it: another needs another map. */
  dispose(): void {
    for (const sheet of this.sheets.values()) sheet.dispose();
  }

  private sheetOf(layer: number): Sheet {
    let sheet = this.sheets.get(layer);
    if (!sheet) {
      sheet = new Sheet(this.building.world.layers[layer], (x, y) => this.building.z(layer, x, y) + this.above);
      sheet.mesh.renderOrder = 1 + 10 * this.above;
      this.sheets.set(layer, sheet);
      this.group.add(sheet.mesh);
    }
    return sheet;
  }
}
