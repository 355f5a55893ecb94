// Where a point goes that is nearly somewhere: a corner, a wall, a right angle to what is being drawn, the grid. And what is under the pointer.
import {Doc, Feature, featureBox, layersTouched, paths, Point} from './document';

export type SnapKind = 'corner' | 'wall' | 'angle' | 'grid' | 'free';
export interface Snapped {
  point: Point;
  kind: SnapKind;
  /** Lines that show why: from each to the point. */
  guides: Point[];
}

export interface SnapOptions {
  reach: number;          // metres: so near counts
  grid: number;           // metres; 0: none
  corners: boolean;
  walls: boolean;
  angles: boolean;
  /** What is drawn so far: the last point first for right angles, the first to close. */
  drawn: Point[];
  /** Features that are being moved do not attract themselves. */
  without?: ReadonlySet<number>;
}

const round = (v: number): number => Math.round(v * 1e6) / 1e6;
export const onGrid = (p: Point, grid: number): Point => (grid > 0 ? [round(Math.round(p[0] / grid) * grid), round(Math.round(p[1] / grid) * grid)] : p);

export function nearestOn(a: Point, b: Point, p: Point): Point {
  const dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
  const t = length2 > 0 ? Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2)) : 0;
  return [a[0] + t * dx, a[1] + t * dy];
}
export const apart = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

function* near(doc: Doc, layers: ReadonlySet<string>, p: Point, reach: number, without?: ReadonlySet<number>): Generator<[number, Feature]> {
  for (let i = 0; i < doc.features.length; ++i) {
    const box = featureBox(doc.features[i]);
    if (!box || p[0] < box[0] - reach || p[0] > box[2] + reach || p[1] < box[1] - reach || p[1] > box[3] + reach) continue;
    if (without?.has(doc.keys[i]) || !layersTouched(doc, doc.features[i]).some(l => layers.has(l))) continue;
    yield [i, doc.features[i]];
  }
}

export function snap(doc: Doc, layers: ReadonlySet<string>, p: Point, options: SnapOptions): Snapped {
  const {reach, drawn} = options;
  let best: Point | null = null, nearest = reach;
  if (options.corners) {
    const consider = (q: Point): void => {
      const d = apart(p, q);
      if (d < nearest) nearest = d, best = [q[0], q[1]];
    };
    if (drawn.length > 2) consider(drawn[0]);
    for (const [, feature] of near(doc, layers, p, reach, options.without)) for (const {points} of paths(feature.geometry)) points.forEach(consider);
    if (best) return {point: best, kind: 'corner', guides: []};
  }
  const square = options.angles && drawn.length > 0 ? rightAngle(p, options) : null;
  if (options.walls) {
    for (const [, feature] of near(doc, layers, p, reach, options.without))
      for (const {points} of paths(feature.geometry))
        for (let k = 1; k < points.length; ++k) {
          const q = nearestOn(points[k - 1], points[k], p), d = apart(p, q);
          if (d >= nearest) continue;
          nearest = d;
          // On the wall and square to what is drawn, where both can be.
          best = (square && crossing(points[k - 1], points[k], drawn[drawn.length - 1], square.point)) || alongGrid(points[k - 1], points[k], q, options.grid);
          if (apart(best, p) > 2 * reach) best = q;
        }
    if (best) return {point: [round(best[0]), round(best[1])], kind: 'wall', guides: []};
  }
  if (square) return square;
  const grid = onGrid(p, options.grid);
  return {point: grid.map(round) as Point, kind: options.grid > 0 ? 'grid' : 'free', guides: []};
}

/** At whole grid lengths from the corner where a wall begins, as far as it goes. */
function alongGrid(a: Point, b: Point, q: Point, grid: number): Point {
  const length = apart(a, b), t = grid > 0 ? Math.round(apart(a, q) / grid) * grid : 0;
  return grid > 0 && length > 0 && t <= length ? [a[0] + (t / length) * (b[0] - a[0]), a[1] + (t / length) * (b[1] - a[1])] : q;
}

/** The side of a wall or floor that both points lie on, for doors that are drawn along it. */
export function sideWith(doc: Doc, layers: ReadonlySet<string>, p: Point, q: Point, reach: number): [Point, Point] | null {
  for (const [, feature] of near(doc, layers, p, reach)) {
    if (feature.properties.kind !== 'obstacle' && feature.properties.kind !== 'walkable') continue;
    for (const {points} of paths(feature.geometry))
      for (let k = 1; k < points.length; ++k)
        if (apart(p, nearestOn(points[k - 1], points[k], p)) < reach && apart(q, nearestOn(points[k - 1], points[k], q)) < reach) return [points[k - 1], points[k]];
  }
  return null;
}

/** Along the axes or square to the last side, seen from the last point and from the first. */
function rightAngle(p: Point, {drawn, reach, grid}: SnapOptions): Snapped | null {
  const last = drawn[drawn.length - 1];
  const directions: Point[] = [[1, 0], [0, 1]];
  if (drawn.length > 1) {
    const before = drawn[drawn.length - 2], length = apart(last, before);
    if (length > 0) {
      const u: Point = [(last[0] - before[0]) / length, (last[1] - before[1]) / length];
      directions.push(u, [-u[1], u[0]]);
    }
  }
  const onRay = (from: Point, [ux, uy]: Point): {q: Point; d: number; t: number} => {
    const t = (p[0] - from[0]) * ux + (p[1] - from[1]) * uy, q: Point = [from[0] + t * ux, from[1] + t * uy];
    return {q, d: apart(p, q), t};
  };
  const rays = directions.map(u => ({u, ...onRay(last, u)})).filter(r => r.d < reach && Math.abs(r.t) > reach).sort((a, b) => a.d - b.d);
  if (rays.length === 0) return null;
  const {u, t} = rays[0];
  if (drawn.length > 1) {  // and level with where it began
    const first = drawn[0];
    for (const v of directions) {
      const meet = crossing(first, [first[0] + v[0], first[1] + v[1]], last, [last[0] + u[0], last[1] + u[1]]);
      if (meet && apart(meet, p) < reach) return {point: meet.map(round) as Point, kind: 'angle', guides: [last, first]};
    }
  }
  const along = grid > 0 ? Math.round(t / grid) * grid : t;
  return {point: [round(last[0] + along * u[0]), round(last[1] + along * u[1])], kind: 'angle', guides: [last]};
}

/** Of two lines through two points each; nothing where they are parallel. */
export function crossing(a: Point, b: Point, c: Point, d: Point): Point | null {
  const r = [b[0] - a[0], b[1] - a[1]], s = [d[0] - c[0], d[1] - c[1]], cross = r[0] * s[1] - r[1] * s[0];
  if (Math.abs(cross) < 1e-12) return null;
  const t = ((c[0] - a[0]) * s[1] - (c[1] - a[1]) * s[0]) / cross;
  return [a[0] + t * r[0], a[1] + t * r[1]];
}

function inside(points: Point[], p: Point): boolean {
  let is = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++)
    if (points[i][1] > p[1] !== points[j][1] > p[1] && p[0] < ((points[j][0] - points[i][0]) * (p[1] - points[i][1])) / (points[j][1] - points[i][1]) + points[i][0]) is = !is;
  return is;
}

export interface Hit {
  key: number;
  feature: Feature;
  path?: number;
  corner?: number;  // of the path
  side?: number;    // between this corner and the next
}

const rank: Record<string, number> = {connection: 0, opening: 1, area: 3, obstacle: 2, region: 4, walkable: 5};

/** What is under the pointer: corners of what is selected first, then lines, then the smallest surface. */
export function hit(doc: Doc, layers: ReadonlySet<string>, p: Point, reach: number, selected: ReadonlySet<number>, hidden: ReadonlySet<string>): Hit | null {
  let corner: (Hit & {d: number}) | null = null, side: (Hit & {d: number}) | null = null, surface: (Hit & {size: number}) | null = null;
  for (const [i, feature] of near(doc, layers, p, reach)) {
    const key = doc.keys[i];
    if (hidden.has(feature.properties.kind)) continue;
    const all = paths(feature.geometry);
    all.forEach(({points, closed}, path) => {
      points.forEach((q, k) => {
        const d = apart(p, q);
        if (selected.has(key) && d < reach && d < (corner?.d ?? Infinity) && !(closed && k === points.length - 1)) corner = {key, feature, path, corner: k, d};
        if (k === 0) return;
        const e = apart(p, nearestOn(points[k - 1], q, p));
        if (e < reach && (e < (side?.d ?? Infinity) - 1e-9)) side = {key, feature, path, side: k - 1, d: e};
      });
    });
    if (!all.some(path => path.closed) || all.filter(path => path.closed && inside(path.points, p)).length % 2 === 0) continue;
    const box = featureBox(feature)!, size = (box[2] - box[0]) * (box[3] - box[1]) * 2 ** rank[feature.properties.kind];
    if (size < (surface?.size ?? Infinity)) surface = {key, feature, size};
  }
  return corner ?? side ?? surface;
}

/** Everything that lies in a box altogether. */
export function within(doc: Doc, layers: ReadonlySet<string>, a: Point, b: Point): number[] {
  const [x0, x1] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])], [y0, y1] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  return doc.keys.filter((_, i) => {
    const box = featureBox(doc.features[i]);
    return box && box[0] >= x0 && box[2] <= x1 && box[1] >= y0 && box[3] <= y1 && layersTouched(doc, doc.features[i]).some(l => layers.has(l));
  });
}
