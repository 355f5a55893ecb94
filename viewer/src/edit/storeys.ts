// Storeys renamed, raised and removed, with all that speaks of them: features, connections, stairs, and places in the scenario.
import {Doc, Feature, heights, isRamp, Json, Layer, layerOf, layersOf, withLayers, withNamedLayers} from './document';

/** Every `layer` of a scenario's places that names the storey. */
function renamedIn(value: Json, from: string, to: string): Json {
  if (Array.isArray(value)) return value.map(v => renamedIn(v, from, to));
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, key === 'layer' && v === from ? to : renamedIn(v, from, to)]));
}

export function renameStorey(doc: Doc, from: string, to: string): Doc {
  const named = withNamedLayers(doc), old = from || layersOf(named)[0].id;
  const features = named.features.map((f): Feature => {
    const {layer, layers} = f.properties, joins = layers?.includes(old);
    if (layer !== old && !joins) return f;
    return {...f, properties: {...f.properties, ...(layer === old ? {layer: to} : {}), ...(joins ? {layers: layers!.map(l => (l === old ? to : l)) as [string, string]} : {})}};
  });
  return {...withLayers({...named, features}, layersOf(named).map(l => (l.id === old ? {...l, id: to} : l))), scenario: renamedIn(named.scenario, old, to)};
}

/** Stairs and ramps that lead to a storey. */
function leadingTo(doc: Doc, id: string): Layer[] {
  const joined = new Set(doc.features.filter(f => f.properties.kind === 'connection' && f.properties.layers?.includes(id)).flatMap(f => [...(f.properties.layers ?? [])]));
  return layersOf(doc).filter(l => l.id !== id && isRamp(l) && joined.has(l.id));
}

/** The ends of stairs that lie on the storey go with it. */
export function raiseStorey(doc: Doc, id: string, z: number): Doc {
  const named = withNamedLayers(doc), own = id || layersOf(named)[0].id, storey = layersOf(named).find(l => l.id === own)!;
  if (isRamp(storey)) return doc;
  const before = heights(storey)[0], stairs = new Set(leadingTo(named, own).map(l => l.id));
  return withLayers(named, layersOf(named).map((l): Layer => {
    if (l.id === own) return {...l, elevation: z};
    if (!stairs.has(l.id) || typeof l.elevation !== 'object') return l;
    const ends = l.elevation.ramp.map(([x, y, h]) => [x, y, Math.abs(h - before) < 0.01 ? z : h]);
    return {...l, elevation: {...l.elevation, ramp: ends as [[number, number, number], [number, number, number]]}};
  }));
}

/** With everything on it, the stairs that lead to it, and the holes that those had in other storeys. The last storey stays. */
export function removeStorey(doc: Doc, id: string): Doc {
  if (layersOf(doc).length < 2) return doc;
  const gone = new Set([id, ...leadingTo(doc, id).map(l => l.id)]), holes = new Set([...gone].flatMap(l => [`under ${l}`, `over ${l}`]));
  const left = layersOf(doc).filter(l => !gone.has(l.id));
  if (left.length === 0) return doc;
  const stays = doc.features.map(f => {
    if (f.properties.kind === 'connection') return !f.properties.layers?.some(l => gone.has(l));
    return !gone.has(layerOf(doc, f)) && !(f.properties.kind === 'obstacle' && holes.has(String(f.properties.name)));
  });
  return withLayers({...doc, features: doc.features.filter((_, i) => stays[i]), keys: doc.keys.filter((_, i) => stays[i])}, left);
}

/** Without stairs of which nothing is left, but of which something was before. */
export function withoutEmptyStairs(doc: Doc, before: Doc): Doc {
  const used = (d: Doc, id: string): boolean => d.features.some(f => layerOf(d, f) === id && f.properties.kind !== 'connection');
  const empty = layersOf(doc).filter(l => isRamp(l) && !used(doc, l.id) && used(before, l.id));
  return empty.reduce((rest, l) => removeStorey(rest, l.id), doc);
}
