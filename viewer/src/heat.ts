// The heat map's numbers: persons a square metre in squares, each person spread over a Gaussian.
import {Crowd} from './crowd';

const width = 0.75;                  // metres: of the Gaussian
const leastSquare = 0.5, reach = 3;  // metres; squares to each side
const mostSquares = 4e6;             // of a layer: squares of large worlds are wider

export class HeatMap {
  square = leastSquare;
  private x0 = 0;
  private y0 = 0;
  private columns = 0;
  private rows = 0;
  private readonly layers = new Map<number, Float32Array>();
  private readonly touched: {layer: number; at: number}[] = [];
  private readonly across = new Float64Array(2 * reach + 1);

  /** The world changed. */
  clear(): void {
    this.layers.clear();
    this.touched.length = 0;
  }

  fill(crowd: Crowd, box: [number, number, number, number]): void {
    if (this.layers.size === 0) this.fit(box);
    for (const {layer, at} of this.touched) this.layers.get(layer)![at] = 0;
    this.touched.length = 0;
    for (let i = 0; i < crowd.n; ++i)
      if (crowd.shown[i] === 1) this.spread(crowd.layer[i], crowd.x[i], crowd.y[i]);
  }

  /** Squares of at least that density, with a number of their own each. */
  each(least: number, visit: (layer: number, x: number, y: number, density: number, key: number) => void): void {
    for (const {layer, at} of this.touched) {
      const density = this.layers.get(layer)![at];
      if (density < least) continue;
      const row = Math.floor(at / this.columns), column = at - row * this.columns;
      visit(layer, this.x0 + (column + 0.5) * this.square, this.y0 + (row + 0.5) * this.square, density, layer * this.columns * this.rows + at);
    }
  }

  private fit([x0, y0, x1, y1]: [number, number, number, number]): void {
    this.square = Math.max(leastSquare, Math.ceil(2 * Math.sqrt(((x1 - x0) * (y1 - y0)) / mostSquares)) / 2);
    const margin = reach + 1;
    this.x0 = (Math.floor(x0 / this.square) - margin) * this.square;
    this.y0 = (Math.floor(y0 / this.square) - margin) * this.square;
    this.columns = Math.ceil((x1 - this.x0) / this.square) + margin;
    this.rows = Math.ceil((y1 - this.y0) / this.square) + margin;
  }

  private spread(layer: number, x: number, y: number): void {
    const cx = Math.floor((x - this.x0) / this.square), cy = Math.floor((y - this.y0) / this.square);
    if (cx < reach || cy < reach || cx >= this.columns - reach || cy >= this.rows - reach) return;
    let weights = this.layers.get(layer);
    if (!weights) this.layers.set(layer, (weights = new Float32Array(this.columns * this.rows)));
    const scale = 1 / (2 * width * width), whole = scale / Math.PI;
    for (let d = -reach; d <= reach; ++d) {
      const dx = this.x0 + (cx + d + 0.5) * this.square - x;
      this.across[d + reach] = Math.exp(-dx * dx * scale);
    }
    for (let d = -reach; d <= reach; ++d) {
      const dy = this.y0 + (cy + d + 0.5) * this.square - y, along = whole * Math.exp(-dy * dy * scale);
      const row = (cy + d) * this.columns + cx - reach;
      for (let k = 0; k <= 2 * reach; ++k) {
        if (weights[row + k] === 0) this.touched.push({layer, at: row + k});
        weights[row + k] += along * this.across[k];
      }
    }
  }
}
