// How crowded it is around each person, as src/server/local_density.hpp says it: those within the 3 by 3 squares of a metre around.
// The origin of coordinates here is whole metres away from the world's, so that the squares are the same.

/** Counts by square: a table that is used again for every picture, since a Map of a hundred thousand squares would take longer than drawing them. */
class Counts {
  private layers = new Int32Array(0);
  private xs = new Int32Array(0);
  private ys = new Int32Array(0);
  counts = new Int32Array(0);
  around = new Int32Array(0);  // -1: not summed up yet

  clear(people: number): void {
    let size = 64;
    while (size < 3 * people) size *= 2;
    if (size > this.counts.length) {
      this.layers = new Int32Array(size);
      this.xs = new Int32Array(size);
      this.ys = new Int32Array(size);
      this.counts = new Int32Array(size);
      this.around = new Int32Array(size);
    }
    this.counts.fill(0);
    this.around.fill(-1);
  }

  /** Where a square is, or would be, in the table. */
  slot(layer: number, x: number, y: number): number {
    const last = this.counts.length - 1;
    let at = (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(layer, 83492791)) & last;
    while (this.counts[at] !== 0 && (this.xs[at] !== x || this.ys[at] !== y || this.layers[at] !== layer)) at = (at + 1) & last;
    return at;
  }

  add(layer: number, x: number, y: number): void {
    const at = this.slot(layer, x, y);
    this.layers[at] = layer;
    this.xs[at] = x;
    this.ys[at] = y;
    ++this.counts[at];
  }
}

const table = new Counts();

export function localDensities(n: number, x: ArrayLike<number>, y: ArrayLike<number>, layer: ArrayLike<number>,
                               out: Float32Array): void {
  table.clear(n);
  for (let i = 0; i < n; ++i) table.add(layer[i], Math.floor(x[i]), Math.floor(y[i]));
  for (let i = 0; i < n; ++i) {
    const sx = Math.floor(x[i]), sy = Math.floor(y[i]), at = table.slot(layer[i], sx, sy);
    if (table.around[at] < 0) {
      let people = 0;
      for (let dx = -1; dx <= 1; ++dx)
        for (let dy = -1; dy <= 1; ++dy) people += table.counts[table.slot(layer[i], sx + dx, sy + dy)];
      table.around[at] = people;
    }
    out[i] = table.around[at] / 9;
  }
}
