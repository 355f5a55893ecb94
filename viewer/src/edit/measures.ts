// Lines that count who crosses them: members of the scenario, chosen, moved, turned round and taken away in the plan as features are.
import {Doc, Json, layersOf, Point} from './document';
import {apart, nearestOn} from './snapping';

export interface MeasureHit {
  index: number;     // in the scenario's `measure`
  end?: 0 | 1;       // near one of its ends
}

const listOf = (doc: Doc): Json[] => doc.scenario.measure ?? [];

export const measureAt = (doc: Doc, index: number): Json | null => (Array.isArray(listOf(doc)[index]?.line) ? listOf(doc)[index] : null);

/** The line under the pointer, on the storey that is drawn on; its ends first. */
export function hitMeasure(doc: Doc, layer: string, p: Point, reach: number): MeasureHit | null {
  let best: MeasureHit | null = null, nearest = reach;
  listOf(doc).forEach((measure, index) => {
    if (!Array.isArray(measure.line) || (measure.layer ?? layersOf(doc)[0].id) !== layer) return;
    const [a, b] = measure.line as [Point, Point], d = apart(p, nearestOn(a, b, p));
    if (d >= nearest) return;
    nearest = d;
    const end = ([0, 1] as const).find(k => apart(p, measure.line[k]) < reach);
    best = {index, ...(end === undefined ? {} : {end})};
  });
  return best;
}

export function changeMeasure(doc: Doc, index: number, change: (measure: Json) => Json | null): Doc {
  const changed = listOf(doc).map((m, i) => (i === index ? change(m) : m)).filter(m => m !== null), {measure: _old, ...rest} = doc.scenario;
  return {...doc, scenario: changed.length > 0 ? {...doc.scenario, measure: changed} : rest};
}

const round = (v: number): number => Math.round(v * 1e6) / 1e6;

/** One end to a place, or both by as much. */
export function moveMeasure(doc: Doc, index: number, by: Point, end?: {which: 0 | 1; to: Point}): Doc {
  return changeMeasure(doc, index, m => ({...m, line: (m.line as Point[]).map(([x, y], k) => (end ? (k === end.which ? end.to : [x, y]) : [round(x + by[0]), round(y + by[1])]))}));
}

export const turnedRound = (doc: Doc, index: number): Doc => changeMeasure(doc, index, m => ({...m, line: [m.line[1], m.line[0]]}));
