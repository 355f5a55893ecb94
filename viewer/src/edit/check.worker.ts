// Off the drawing thread: keeps the document as texts of its features, puts them together when something changed, and has the server check the
// whole and, at once, what was changed alone. Of changes that come while an answer is awaited only the last is sent.
import type {Feature} from './document';

export interface Change {
  version: number;
  base: string;                         // where the server answers
  keys?: number[];                      // where their order or number changed
  features: [number, Feature][];        // by key: those that are new or changed
  head?: unknown;
  scenario?: unknown;
}
export interface Complaint {
  severity: 'error' | 'warning';
  code: string;
  place: string;
  message: string;
  key?: number;       // of the feature it speaks of
  since?: number[];   // of the features with whose change it came, where it speaks of none
}
export interface Verdict {
  version: number;
  part: boolean;
  complaints: Complaint[];
  people?: number;
  area?: number;
  runs?: boolean;
  ms: number;
  failed?: string;
}

const scope = self as unknown as {postMessage(message: unknown): void; onmessage: ((event: MessageEvent<Change>) => void) | null};
let base = '';
const texts = new Map<number, string>();
let keys: number[] = [], head = '{}', scenario: Record<string, unknown> = {}, version = 0, sending = false, waiting = false, askedAt = 0;

function documentOf(chosen: number[]): string {
  const members = head.slice(1, -1);
  const environment = `{${members}${members ? ',' : ''}"features":[${chosen.map(key => texts.get(key)).join(',')}]}`;
  const {throng, ...rest} = scenario, others = JSON.stringify(rest).slice(1, -1);
  return `{"throng":${JSON.stringify(throng ?? 1)},"environment":${environment}${others ? ',' + others : ''}}`;
}

/** The feature that a place names ("feature 7 (obstacle) at ..."): numbers count from 0. */
function keyOf(place: string, numbering: number[]): number | undefined {
  const found = /feature (\d+)/.exec(place);
  return found ? numbering[Number(found[1])] : undefined;
}

async function ask(text: string, part: boolean, numbering: number[], of: number, since: number): Promise<Verdict> {
  try {
    const response = await fetch(`${base}check?version=${of}${part ? '&part=1' : ''}`, {method: 'POST', body: text, headers: {'Content-Type': 'application/json'}});
    const answer = await response.json();
    if (!response.ok) return {version: of, part, complaints: [], ms: performance.now() - since, failed: answer.error ?? String(response.status)};
    const complaints = (answer.problems ?? []).map((p: Complaint) => ({...p, key: keyOf(p.place, numbering)}));
    return {version: of, part, complaints, people: answer.people, area: answer.area, runs: answer.runs, ms: performance.now() - since};
  } catch (error) {
    return {version: of, part, complaints: [], ms: performance.now() - since, failed: 'The connection to throng is lost: what is drawn is kept in this page.' + String(error).slice(0, 0)};
  }
}

async function send(): Promise<void> {
  if (sending) {
    waiting = true;
    void keep();
    return;
  }
  sending = true;
  do {
    waiting = false;
    const of = version, numbering = keys, since = askedAt;
    const verdict = await ask(documentOf(numbering), false, numbering, of, since);
    scope.postMessage(verdict);
    if (verdict.failed) await new Promise(resolve => setTimeout(resolve, 2000));
    if (verdict.failed && version === of) waiting = true;
  } while (waiting);
  sending = false;
}

let keeping = false;
/** What is drawn while an answer is awaited is kept at once, not only when its turn comes: the page may crash meanwhile. */
async function keep(): Promise<void> {
  if (keeping) return;
  keeping = true;
  await new Promise(resolve => setTimeout(resolve, 100));
  keeping = false;
  if (!waiting) return;
  await fetch(`${base}keep?version=${version}`, {method: 'POST', body: documentOf(keys), headers: {'Content-Type': 'application/json'}}).catch(() => { /* sent again with the next check */ });
}

/** What is wrong with the changed features by themselves: known before the whole plan is. */
async function sendPart(changed: number[], of: number, since: number): Promise<void> {
  const verdict = await ask(documentOf(changed).replace(/"populations":\[.*$/s, '"populations":[]}'), true, changed, of, since);
  verdict.complaints = verdict.complaints.filter(c => c.key !== undefined && c.severity === 'error');
  if (!verdict.failed) scope.postMessage(verdict);
}

scope.onmessage = ({data}) => {
  askedAt = performance.now();
  version = data.version;
  base = data.base;
  if (data.head !== undefined) head = JSON.stringify(data.head);
  if (data.scenario !== undefined) scenario = data.scenario as Record<string, unknown>;
  for (const [key, feature] of data.features) texts.set(key, JSON.stringify(feature));
  if (data.keys) {
    keys = data.keys;
    const present = new Set(keys);
    for (const key of texts.keys()) if (!present.has(key)) texts.delete(key);
  }
  const alone = data.features.filter(([, f]) => f.properties.kind !== 'connection').map(([key]) => key);
  const few = alone.length > 0 && alone.length <= 20, part = few ? sendPart(alone, version, askedAt) : Promise.resolve();
  // A large plan takes long to write and to send: what was drawn is asked about first.
  void Promise.race([part, new Promise(resolve => setTimeout(resolve, 80))]).then(send);
};
