// What is wrong with the plan, as the server says it while one draws: sends what changed to the worker, keeps the answers of the latest version.
import {Doc, Feature, featureBox, featureOf} from './document';
import {areasOf as areasIn} from './uses';
import type {Change, Complaint, Verdict} from './check.worker';

export type {Complaint} from './check.worker';

export class Checker {
  complaints: Complaint[] = [];
  people = 0;
  area = 0;
  runs = false;
  checked = 0;   // the version the complaints are of
  version: number;
  lastMs = {part: 0, whole: 0};
  onChange: () => void = () => {};
  onFailure: (what: string) => void = () => {};
  private sent: Doc | null = null;
  /** What each version changed that no answer was about so far. */
  private unanswered: {version: number; keys: number[]}[] = [];
  private readonly worker: Worker;

  constructor(version: number, private readonly base: string) {
    this.version = version;
    this.worker = new Worker(new URL('./check.worker.ts', import.meta.url), {type: 'module'});
    this.worker.onmessage = ({data}: MessageEvent<Verdict>) => this.heard(data);
  }

  send(doc: Doc): void {
    const before = this.sent, change: Change = {version: ++this.version, base: new URL(`${this.base}api/`, location.href).href, features: []};
    this.sent = doc;
    const known = new Map<number, unknown>();
    if (before && before.features !== doc.features) before.keys.forEach((key, i) => known.set(key, before.features[i]));
    if (!before || before.features !== doc.features)
      doc.keys.forEach((key, i) => { if (known.get(key) !== doc.features[i]) change.features.push([key, doc.features[i]]); });
    if (before) this.unanswered.push({version: change.version, keys: change.features.map(([key]) => key)});
    if (!before || before.keys !== doc.keys) change.keys = [...doc.keys];
    if (!before || before.head !== doc.head) change.head = doc.head;
    if (!before || before.scenario !== doc.scenario) change.scenario = doc.scenario;
    this.worker.postMessage(change);
  }

  private heard(verdict: Verdict): void {
    if (verdict.failed) return this.onFailure(verdict.failed);
    if (verdict.version < this.version && !verdict.part) return;  // another answer is on its way
    if (verdict.part) {
      this.lastMs.part = verdict.ms;
      if (verdict.version < this.checked) return;
      const spoken = new Set(verdict.complaints.map(c => c.key));
      this.complaints = [...this.complaints.filter(c => !spoken.has(c.key)), ...verdict.complaints];
    } else {
      this.lastMs.whole = verdict.ms;
      this.checked = verdict.version;
      this.complaints = this.withCauses(verdict.complaints, verdict.version);
      this.people = verdict.people ?? 0;
      this.area = verdict.area ?? 0;
      this.runs = verdict.runs ?? false;
    }
    this.onChange();
  }

  /** Of people who cannot get anywhere no feature is to blame by name: it came with what was changed last, and goes with it. */
  private withCauses(complaints: Complaint[], version: number): Complaint[] {
    const changed = [...new Set(this.unanswered.filter(u => u.version <= version).flatMap(u => u.keys))];
    this.unanswered = this.unanswered.filter(u => u.version > version);
    return complaints.map(c => {
      if (c.key !== undefined || c.severity === 'warning' && !/\/(start|goals)/.test(c.place)) return c;
      const before = this.complaints.find(old => same(old, c)), since = before ? before.since : changed.length <= 3 ? changed : undefined;
      return since && since.length > 0 ? {...c, since} : c;
    });
  }
}

const same = (a: Complaint, b: Complaint): boolean => a.code === b.code && a.place === b.place && a.message === b.message;

/** The features themselves, and those with whose change the complaint came. */
export function aboutOf(complaint: Complaint, doc: Doc): Feature[] {
  return [...keysOf(complaint, doc), ...(complaint.since ?? [])].map(key => featureOf(doc, key)).filter((f): f is Feature => f !== null);
}

/** Names of the areas that a complaint about people speaks of: their start, or one of their goals. */
function areasOf(complaint: Complaint, doc: Doc): string[] {
  const found = /\/populations\/(\d+)(?:\/(start|goals)(?:\/(\d+))?)?/.exec(complaint.place), population = found ? doc.scenario.populations?.[Number(found[1])] : null;
  if (!found || !population) return [];
  const place = found[2] === 'goals' ? population.goals?.[Number(found[3] ?? 0)] : population.start;
  return areasIn(place);
}

/** What a complaint is about, for the plan: the feature it names, or the areas where its people start or go. */
export function keysOf(complaint: Complaint, doc: Doc): number[] {
  if (complaint.key !== undefined) return [complaint.key];
  const names = areasOf(complaint, doc);
  return doc.keys.filter((_, i) => doc.features[i].properties.kind === 'area' && names.includes(doc.features[i].properties.name ?? ''));
}

/** The complaint in a planner's words: "staff, goal 2: ..." instead of a pointer into a file. */
export function sentenceOf(complaint: Complaint, doc: Doc): string {
  const place = complaint.place.replace(/^plan(:\d+:\d+)?:? ?/, '').replace(/^\/environment:? ?/, '')
    .replace(/^\/populations\/(\d+)(\/[^ ]*)?/, (_all, n: string, rest?: string) => {
      const name = doc.scenario.populations?.[Number(n)]?.name ?? `people ${Number(n) + 1}`, goal = /^\/goals\/(\d+)/.exec(rest ?? '');
      return goal ? `${name}, goal ${Number(goal[1]) + 1}` : rest ? `${name}, ${rest.slice(1).replace(/\//g, ' ')}` : name;
    })
    .replace(/^\/populations/, 'people').replace(/^\/profiles\/([^/ ]+)/, (_all, name: string) => `profile ${name}`).replace(/^\/(\w+)/, '$1').replace(/\//g, ' ');
  return place ? `${place}: ${complaint.message}` : complaint.message;
}

/** Where a complaint is, by the coordinates in its place or words, or by what it is about. */
export function placeOf(complaint: Complaint, doc?: Doc): [number, number] | null {
  for (const text of [complaint.place, complaint.message]) {
    const found = /\((-?[\d.]+(?:e[-+]?\d+)?), (-?[\d.]+(?:e[-+]?\d+)?)\)/.exec(text);
    if (found) return [Number(found[1]), Number(found[2])];
  }
  const key = doc && complaint.key === undefined ? keysOf(complaint, doc)[0] : undefined, feature = key === undefined ? null : featureOf(doc!, key);
  const box = feature ? featureBox(feature) : null;
  // On its upper edge: in the middle of an area stands its name.
  return box ? [(box[0] + box[2]) / 2, box[3]] : null;
}

/** All places where it is marked: its own, and those of what it came with. */
export function marksOf(complaint: Complaint, doc: Doc): [number, number][] {
  const own = placeOf(complaint, doc), boxes = (complaint.since ?? []).map(key => featureOf(doc, key)).map(f => (f ? featureBox(f) : null));
  return [...(own ? [own] : []), ...boxes.filter(b => b !== null).map((b): [number, number] => [(b[0] + b[2]) / 2, (b[1] + b[3]) / 2])];
}
