// Drawings at random, the same for the same seed: what the tests draw, move, take away and save.
import {textOf, addFeatures, areaNames, changeFeatures, Doc, docOf, insertCorner, line, mapPoints, moveCorner, Point, polygon, removeFeatures} from '../src/edit/document';
import {rectangle} from '../src/edit/tools';

/** Numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const kinds = ['walkable', 'obstacle', 'opening', 'area', 'region'] as const;

function randomDoc(seed: number, round: number): Doc {
  const r = random(seed * 1000 + round), at = (): Point => [Math.round(r() * 400) / 10, Math.round(r() * 400) / 10];
  let doc = docOf({throng: 1, environment: {type: 'FeatureCollection', features: []}, duration: 60, profiles: {adult: {}}, populations: []});
  const past: Doc[] = [];
  for (let k = 0; k < 4 + Math.floor(r() * 25); ++k) {
    const key = doc.keys[Math.floor(r() * doc.keys.length)], what = r(), before = doc;
    if (what < 0.5 || key === undefined) {
      const kind = kinds[Math.floor(r() * kinds.length)], more = kind === 'area' ? {name: `area ${k}`} : kind === 'region' ? {type: r() < 0.5 ? 'grass' : 'road'} : {};
      doc = addFeatures(doc, [polygon(kind, '', rectangle(at(), at()), more)]).doc;
    } else if (what < 0.62) doc = addFeatures(doc, [line('obstacle', '', [at(), at(), at()])]).doc;
    else if (what < 0.72) doc = changeFeatures(doc, [key], f => mapPoints(f, ([x, y]) => [x + 1, y - 0.5]));
    else if (what < 0.82) doc = changeFeatures(doc, [key], f => moveCorner(f, 0, 0, at()));
    else if (what < 0.9) doc = changeFeatures(doc, [key], f => insertCorner(f, 0, 0, at()));
    else if (what < 0.95 && past.length > 0) doc = past.pop()!;
    else doc = removeFeatures(doc, [key]);
    if (doc !== before) past.push(before);
  }
  const areas = areaNames(doc);
  const populations = areas.length > 1 ? [{name: 'people', profile: 'adult', count: 1 + Math.floor(r() * 9), start: {area: areas[0]}, goals: [{area: areas[areas.length - 1]}]}] : [];
  return {...doc, scenario: {...doc.scenario, populations}};
}

export const randomText = (seed: number, round: number): string => textOf(randomDoc(seed, round));
