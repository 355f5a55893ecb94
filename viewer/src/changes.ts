// What was changed in a run while it went on, as its events tell: which world there was at a time, and the list of it.
import type {Mark, Session} from './api';
import type {Card} from './cards';
import type {Viewer} from './main';

export interface RunEvent {
  time: number;
  kind: string;
  what: unknown;
}
interface Dropped { id: string; x: number; y: number; layer: number; size: number }
interface Removed { id: string; layer: number; ring: [number, number][] }
interface Moved { id: string; label?: string; x: number; y: number; layer: number }

/** How the world of a time differs from that of the start. */
export interface Differences {
  dropped: Dropped[];
  removed: Removed[];
  moved: Moved[];
}

/** What an "undone" takes back, the last of it. */
const undoable = ['obstacle', 'removed', 'goal', 'sign', 'sign_removed', 'weight'];

/** What was taken back is as if it had not been. */
export function differencesAt(events: readonly RunEvent[], time: number): Differences {
  const stack: RunEvent[] = [];
  for (const event of events) {
    if (event.time > time) break;
    if (event.kind === 'undone') stack.pop();
    else if (undoable.includes(event.kind)) stack.push(event);
  }
  const dropped = new Map<string, Dropped>(), removed = new Map<string, Removed>(), moved = new Map<string, Moved>();
  for (const {kind, what} of stack) {
    const id = (what as {id?: string} | null)?.id;
    if (id === undefined) continue;
    if (kind === 'obstacle') dropped.set(id, what as Dropped);
    else if (kind === 'goal') moved.set(id, what as Moved);
    // Of recordings that were made before, what went is not known by its shape.
    else if (kind === 'removed' && !dropped.delete(id) && (what as Removed).ring) removed.set(id, what as Removed);
  }
  return {dropped: [...dropped.values()], removed: [...removed.values()], moved: [...moved.values()]};
}

/** A sentence for the list. */
export function sentenceOf(event: RunEvent, session: Pick<Session, 'layers' | 'populations'>): string {
  const what = (event.what ?? {}) as Partial<Dropped & Moved> & {count?: number; population?: number; pass?: string; profile?: string; type?: string; weight?: number | string};
  const place = what.x === undefined || what.y === undefined ? '' : ` at (${what.x.toFixed(1)}, ${what.y.toFixed(1)})${session.layers.length > 1 && what.layer !== undefined ? `, ${session.layers[what.layer] || 'ground'}` : ''}`;
  if (event.kind === 'obstacle') return `an obstacle of ${what.size} m dropped${place}`;
  if (event.kind === 'removed') return `obstacle ${what.id} removed`;
  if (event.kind === 'goal') return `${what.label ?? what.id} moved${place}`;
  if (event.kind === 'people') return `${what.count} of ${session.populations?.[what.population ?? 0] ?? 'the people'} added`;
  if (event.kind === 'sign') return `a sign put up${place}: pass on the ${what.pass}`;
  if (event.kind === 'sign_removed') return `a sign taken down${place}`;
  if (event.kind === 'weight') return what.weight === 'never' ? `${what.profile} never walk on ${what.type}` : `a metre of ${what.type} weighs ${what.weight} to ${what.profile}`;
  if (event.kind === 'undone') return 'the change before taken back';
  return event.kind;
}

/** Outlines and names of what is not in the world that is drawn: of a recording that of the start, of a live run what it is now. */
export function marksOf({dropped, removed, moved}: Differences, origin: [number, number], live: boolean): Mark[] {
  const [ox, oy] = origin, local = (ring: [number, number][]): [number, number][] => ring.map(([x, y]) => [x - ox, y - oy]);
  const square = ({x, y, size}: Dropped): [number, number][] => [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]].map(([i, j]) => [x + (i * size) / 2, y + (j * size) / 2]);
  return [
    ...dropped.map((d): Mark => ({shape: 'line', points: local(square(d)), layer: d.layer, colour: '#0b6aa2', text: ''})),
    ...(live ? [] : removed.map((r): Mark => ({shape: 'area', points: local(r.ring), layer: r.layer, colour: '#0b6aa2', text: 'removed'}))),
    ...(live ? [] : moved.map((m): Mark => ({shape: 'text', points: local([[m.x, m.y]]), layer: m.layer, colour: '#0b6aa2', text: `${m.label ?? m.id}, moved here`}))),
  ];
}

/** What was changed, in order; a click goes to the moment before. */
export class ChangesCard implements Card {
  readonly element = Object.assign(document.createElement('section'), {id: 'changes', hidden: true});
  private readonly list = Object.assign(document.createElement('ol'), {className: 'places'});
  private shown = 0;

  constructor(private readonly viewer: Viewer) { this.element.append(Object.assign(document.createElement('h2'), {textContent: 'Changes'}), this.list); }

  refresh(): void {
    const {viewer} = this, events = viewer.session.events ?? [];
    this.element.hidden = events.length === 0;
    if (events.length === this.shown) return;
    this.shown = events.length;
    this.list.replaceChildren(...events.map(event => {
      const button = Object.assign(document.createElement('button'), {title: 'Goes there, five seconds before', textContent: `${event.time.toFixed(1)} s: ${sentenceOf(event, viewer.session)}`});
      button.addEventListener('click', () => viewer.seek(Math.max(0, event.time - 5)));
      const item = document.createElement('li');
      item.append(button);
      return item;
    }));
  }
}
