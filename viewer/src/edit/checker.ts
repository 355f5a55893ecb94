// What is wrong with the plan, as the server says it while one draws: sends what changed to the worker, keeps the answers of the latest version.
import {Doc} from './document';
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
      this.complaints = verdict.complaints;
      this.people = verdict.people ?? 0;
      this.area = verdict.area ?? 0;
      this.runs = verdict.runs ?? false;
    }
    this.onChange();
  }
}

/** Where a complaint is, by the coordinates in its place or words. */
export function placeOf(complaint: Complaint): [number, number] | null {
  for (const text of [complaint.place, complaint.message]) {
    const found = /\((-?[\d.]+(?:e[-+]?\d+)?), (-?[\d.]+(?:e[-+]?\d+)?)\)/.exec(text);
    if (found) return [Number(found[1]), Number(found[2])];
  }
  return null;
}
