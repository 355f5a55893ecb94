// The document that is drawn: a scenario and its environment, as an immutable value. A change makes a new document that shares all it does not
// change with the old one, so undoing is going back to the value itself: the same bytes. Members the editor does not know are kept as they are.

export type Point = [number, number];
export type Kind = 'walkable' | 'obstacle' | 'opening' | 'region' | 'connection' | 'area';

export interface Geometry {
  type: 'Polygon' | 'MultiPolygon' | 'LineString' | 'MultiLineString';
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  coordinates: any;
}
export interface Feature {
  readonly type: 'Feature';
  readonly properties: {readonly kind: Kind; readonly layer?: string; readonly layers?: readonly [string, string]; readonly name?: string; readonly type?: string} & Record<string, unknown>;
  readonly geometry: Geometry;
}
export type Elevation = number | {ramp: [[number, number, number], [number, number, number]]; stairs?: boolean};
export interface Layer {
  id: string;
  elevation?: Elevation;
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Doc {
  /** The scenario, without its environment. */
  readonly scenario: Record<string, Json>;
  /** Members of the environment beside its features. */
  readonly head: Record<string, Json>;
  readonly features: readonly Feature[];
  /** A number for each feature that stays while it is changed; not saved. */
  readonly keys: readonly number[];
}

let lastKey = 0;
export const newKey = (): number => ++lastKey;

export function docOf(scenario: Record<string, Json>): Doc {
  const {environment, ...rest} = scenario;
  const {features, ...head} = environment as Record<string, Json>;
  return {scenario: rest, head, features: features ?? [], keys: (features ?? []).map(newKey)};
}

/** The scenario with its environment in it: what is checked, run and saved. Members stand in the order they came in. */
export function toScenario(doc: Doc): Record<string, Json> {
  const environment: Record<string, Json> = {...doc.head, features: doc.features};
  const {throng, ...rest} = doc.scenario;
  return {throng: throng ?? 1, environment, ...rest};
}

export const textOf = (doc: Doc): string => JSON.stringify(toScenario(doc));

// --- storeys

export function layersOf(doc: Doc): Layer[] {
  const layers = doc.head.throng?.layers as Layer[] | undefined;
  return layers && layers.length > 0 ? layers : [{id: '', elevation: 0}];
}

export function layerOf(doc: Doc, feature: Feature): string {
  return feature.properties.layer ?? layersOf(doc)[0].id;
}

/** Layers a feature belongs to: a connection to two. */
export function layersTouched(doc: Doc, feature: Feature): string[] {
  return feature.properties.kind === 'connection' ? [...(feature.properties.layers ?? [])] : [layerOf(doc, feature)];
}

export function heights(layer: Layer): [number, number] {
  const e = layer.elevation ?? 0;
  if (typeof e === 'number') return [e, e];
  const z = [e.ramp[0][2], e.ramp[1][2]];
  return [Math.min(...z), Math.max(...z)];
}

export const isRamp = (layer: Layer): boolean => typeof layer.elevation === 'object' && layer.elevation !== null && 'ramp' in layer.elevation;

/** The first layer is written down where there is only the silent one: the second needs its name. */
export function withLayers(doc: Doc, layers: Layer[]): Doc {
  return {...doc, head: {...doc.head, throng: {version: 1, ...doc.head.throng, layers}}};
}

export function withNamedLayers(doc: Doc): Doc {
  if (doc.head.throng?.layers?.length > 0) return doc;
  return withLayers(doc, [{id: 'ground', elevation: 0}]);
}

export function freshName(base: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  for (let i = 1; ; ++i) if (!names.has(`${base} ${i}`)) return `${base} ${i}`;
}

// --- features

export function addFeatures(doc: Doc, features: Feature[]): {doc: Doc; keys: number[]} {
  const keys = features.map(newKey);
  return {doc: {...doc, features: [...doc.features, ...features], keys: [...doc.keys, ...keys]}, keys};
}

export function changeFeatures(doc: Doc, keys: Iterable<number>, change: (feature: Feature) => Feature): Doc {
  const wanted = new Set(keys);
  return {...doc, features: doc.features.map((feature, i) => (wanted.has(doc.keys[i]) ? change(feature) : feature))};
}

export function removeFeatures(doc: Doc, keys: Iterable<number>): Doc {
  const gone = new Set(keys);
  return {...doc, features: doc.features.filter((_, i) => !gone.has(doc.keys[i])), keys: doc.keys.filter(key => !gone.has(key))};
}

export function featureOf(doc: Doc, key: number): Feature | null {
  const i = doc.keys.indexOf(key);
  return i < 0 ? null : doc.features[i];
}

/** Every ring and line of a geometry, and whether it is closed. Closed rings repeat their first point, as GeoJSON wants it. */
export function paths(geometry: Geometry): {points: Point[]; closed: boolean}[] {
  if (geometry.type === 'Polygon') return geometry.coordinates.map((points: Point[]) => ({points, closed: true}));
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat().map((points: Point[]) => ({points, closed: true}));
  if (geometry.type === 'LineString') return [{points: geometry.coordinates, closed: false}];
  return (geometry.coordinates ?? []).map((points: Point[]) => ({points, closed: false}));
}

function mapNested(value: Json, change: (p: Point) => Point): Json {
  return typeof value[0] === 'number' ? [...change([value[0], value[1]]), ...value.slice(2)] : value.map((part: Json) => mapNested(part, change));
}

/** Every corner moved by a rule. */
export function mapPoints(feature: Feature, change: (p: Point) => Point): Feature {
  return {...feature, geometry: {...feature.geometry, coordinates: mapNested(feature.geometry.coordinates, change)}};
}

const same = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];

/** One corner moved, with the copy of it that closes a ring. */
export function moveCorner(feature: Feature, path: number, corner: number, to: Point): Feature {
  let at = -1;
  const ring = (points: Point[], closed: boolean): Point[] => {
    if (++at !== path) return points;
    const moved = points.map((p, i): Point => (i === corner || (closed && corner === 0 && i === points.length - 1) ? [...to] : p));
    return moved;
  };
  return withPaths(feature, ring);
}

export function insertCorner(feature: Feature, path: number, after: number, p: Point): Feature {
  let at = -1;
  return withPaths(feature, points => (++at !== path ? points : [...points.slice(0, after + 1), [...p], ...points.slice(after + 1)]));
}

/** Nothing where too few would be left. */
export function removeCorner(feature: Feature, path: number, corner: number): Feature | null {
  const {points, closed} = paths(feature.geometry)[path];
  if (points.length <= (closed ? 4 : 2)) return null;
  let at = -1;
  return withPaths(feature, (ring, isClosed) => {
    if (++at !== path) return ring;
    const rest = (isClosed ? ring.slice(0, -1) : ring).filter((_, i) => i !== corner);
    return isClosed ? [...rest, [...rest[0]]] : rest;
  });
}

function withPaths(feature: Feature, change: (points: Point[], closed: boolean) => Point[]): Feature {
  const {geometry} = feature;
  let coordinates: Json;
  if (geometry.type === 'Polygon') coordinates = geometry.coordinates.map((r: Point[]) => change(r, true));
  else if (geometry.type === 'MultiPolygon') coordinates = geometry.coordinates.map((p: Point[][]) => p.map(r => change(r, true)));
  else if (geometry.type === 'LineString') coordinates = change(geometry.coordinates, false);
  else coordinates = geometry.coordinates.map((r: Point[]) => change(r, false));
  return {...feature, geometry: {...geometry, coordinates}};
}

export function polygon(kind: Kind, layer: string, ring: Point[], more: Record<string, unknown> = {}): Feature {
  const closed = same(ring[0], ring[ring.length - 1]) ? ring : [...ring, [...ring[0]] as Point];
  return {type: 'Feature', properties: {kind, ...(layer ? {layer} : {}), ...more}, geometry: {type: 'Polygon', coordinates: [closed]}};
}

export function line(kind: Kind, layer: string, points: Point[], more: Record<string, unknown> = {}): Feature {
  return {type: 'Feature', properties: {kind, ...(layer ? {layer} : {}), ...more}, geometry: {type: 'LineString', coordinates: points}};
}

export function boxOf(features: readonly Feature[]): [number, number, number, number] | null {
  let box: [number, number, number, number] | null = null;
  for (const feature of features) {
    const b = featureBox(feature);
    if (!b) continue;
    box = box ? [Math.min(box[0], b[0]), Math.min(box[1], b[1]), Math.max(box[2], b[2]), Math.max(box[3], b[3])] : [...b];
  }
  return box;
}

const boxes = new WeakMap<Feature, [number, number, number, number] | null>();
export function featureBox(feature: Feature): [number, number, number, number] | null {
  const known = boxes.get(feature);
  if (known !== undefined) return known;
  let box: [number, number, number, number] | null = null;
  for (const {points} of paths(feature.geometry))
    for (const [x, y] of points) box = box ? [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)] : [x, y, x, y];
  boxes.set(feature, box);
  return box;
}

// --- stairs

/**
 * A stair of some width from the middle of its lower end to the middle of its upper end: a layer of its own that rises from one storey to the
 * other, connected at both ends; where it stands, both storeys have a hole.
 */
export function addStair(doc: Doc, lower: Layer, upper: Layer, from: Point, to: Point, width: number): {doc: Doc; keys: number[]} {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const round = (v: number): number => Math.round(v * 1000) / 1000;
  const [nx, ny] = [(-(to[1] - from[1]) / length) * (width / 2), ((to[0] - from[0]) / length) * (width / 2)];
  const corner = (p: Point, side: number): Point => [round(p[0] + side * nx), round(p[1] + side * ny)];
  const [a, b, c, d] = [corner(from, 1), corner(from, -1), corner(to, -1), corner(to, 1)];
  const id = freshName('stair', layersOf(doc).map(l => l.id));
  const [z0, z1] = [heights(lower)[0], heights(upper)[0]];
  const withStair = withLayers(doc, [...layersOf(doc), {id, elevation: {ramp: [[from[0], from[1], z0], [to[0], to[1], z1]], stairs: true}}]);
  return addFeatures(withStair, [
    polygon('walkable', id, [a, b, c, d]),
    polygon('obstacle', lower.id, [a, b, c, d], {name: `under ${id}`}),
    polygon('obstacle', upper.id, [a, b, c, d], {name: `over ${id}`}),
    line('connection', '', [a, b], {layers: [lower.id, id]}),
    line('connection', '', [c, d], {layers: [id, upper.id]}),
  ]);
}

// --- names that the scenario uses

export function areaNames(doc: Doc): string[] {
  return [...new Set(doc.features.filter(f => f.properties.kind === 'area' && f.properties.name).map(f => f.properties.name as string))];
}

/** An area's new name, wherever the scenario uses the old one. */
export function renameArea(doc: Doc, from: string, to: string): Doc {
  const place = (p: Json): Json => {
    if (!p || typeof p !== 'object') return p;
    const changed = {...p};
    if (p.area === from) changed.area = to;
    if (Array.isArray(p.nearest)) changed.nearest = p.nearest.map((n: string) => (n === from ? to : n));
    if (p.choose && typeof p.choose === 'object') changed.choose = Object.fromEntries(Object.entries(p.choose).map(([n, w]) => [n === from ? to : n, w]));
    return changed;
  };
  const populations = (doc.scenario.populations ?? []).map((p: Json) => ({...p, ...(p.start ? {start: place(p.start)} : {}), ...(p.goals ? {goals: p.goals.map(place)} : {})}));
  const measure = doc.scenario.measure?.map(place);
  return {...doc, scenario: {...doc.scenario, populations, ...(measure ? {measure} : {})}};
}
