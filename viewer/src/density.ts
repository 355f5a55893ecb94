// How crowded it is around each person, as src/server/local_density.hpp says it: those within the 3 by 3 squares of a metre around.
// The origin of coordinates here is whole metres away from the world's, so that the squares are the same.

const half = 1 << 20;
const key = (layer: number, x: number, y: number): number => (layer * 2 * half + x + half) * 2 * half + y + half;

export function localDensities(n: number, x: ArrayLike<number>, y: ArrayLike<number>, layer: ArrayLike<number>,
                               out: Float32Array): void {
  const count = new Map<number, number>();
  for (let i = 0; i < n; ++i) {
    const k = key(layer[i], Math.floor(x[i]), Math.floor(y[i]));
    count.set(k, (count.get(k) ?? 0) + 1);
  }
  const around = new Map<number, number>();  // each occupied square is summed up once
  for (let i = 0; i < n; ++i) {
    const sx = Math.floor(x[i]), sy = Math.floor(y[i]), k = key(layer[i], sx, sy);
    let people = around.get(k);
    if (people === undefined) {
      people = 0;
      for (let dx = -1; dx <= 1; ++dx)
        for (let dy = -1; dy <= 1; ++dy) people += count.get(key(layer[i], sx + dx, sy + dy)) ?? 0;
      around.set(k, people);
    }
    out[i] = people / 9;
  }
}
