// Cards beside the picture: each is a small panel of its own that knows the viewer and is asked once a second whether there is something new. A card more is
// a class here (or beside this file) and a line in `cardsOf`.
import uPlot from 'uplot';
import {getJson, Mark} from './api';
import {ChangesCard} from './changes';
import {category, css} from './colours';
import type {Viewer} from './main';

export interface Card {
  readonly element: HTMLElement;
  /** About once a second. */
  refresh(): void | Promise<void>;
  /** Whether a click at this place of the floor was the card's. */
  click?(place: Place): boolean;
  /** Where the pointer is, while the card waits for a click. */
  hover?(place: Place | null): void;
  /** Lets go of what it is waiting for; whether there was something. */
  cancel?(): boolean;
}
export interface Place {
  x: number;
  y: number;
  layer: number;
}

export function cardsOf(viewer: Viewer): Card[] {
  const {mode} = viewer.session;
  if (mode === 'environment') return [new WayCard(viewer)];
  return [...(mode === 'recording' ? [new TightCard(viewer)] : []), new CountCard(viewer), new ChangesCard(viewer)];
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, members: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(tag), members);
  node.append(...children);
  return node;
}
const clock = (seconds: number): string => (seconds < 60 ? `${seconds.toFixed(0)} s` : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`);

/** Shows a place: its storey, from near. */
function flyTo(viewer: Viewer, {x, y, layer}: Place): void {
  const storey = viewer.building.world.layers[layer];
  if (viewer.store.state.storey !== null && storey && !storey.elevation.from) viewer.showBuilding({storey: storey.low});
  viewer.setFollowing(false);
  viewer.cameras.lookAt(x, y, viewer.building.z(layer, x, y), 22);
  viewer.redraw();
}

interface Tight extends Place {
  person_seconds: number;
  from: number;
  until: number;
  highest: number;
  highest_time: number;
}

/** Where people stood too close, the worst first; a click flies there, ten seconds before it began. */
class TightCard implements Card {
  readonly element = make('section', {id: 'tight'}, make('h2', {textContent: 'Where it is tight'}));
  private readonly list = make('ol', {className: 'places'});
  private readonly note = make('p', {className: 'hint'});
  private complete = false;
  private shown = '';

  constructor(private readonly viewer: Viewer) { this.element.append(this.list, this.note); }

  async refresh(): Promise<void> {
    if (this.complete) return;
    const {complete, density, places} = await getJson<{complete: boolean; density: number; places: Tight[]}>('api/tight'), now = JSON.stringify([complete, places]);
    this.complete = complete;
    if (now === this.shown) return;
    this.shown = now;
    this.note.textContent = places.length > 0 ? `More than ${density} persons / m²; person-seconds are people times how long.` : complete ? `Nowhere more than ${density} persons / m².` : 'Looking through the recording …';
    this.list.replaceChildren(...places.map(place => this.entry(place)));
  }

  private entry(place: Tight): HTMLElement {
    const {viewer} = this, name = viewer.session.layers[place.layer] || 'ground', several = viewer.session.layers.length > 1;
    const button = make('button', {title: 'Goes there, ten seconds before'}, make('strong', {textContent: `${place.highest.toFixed(1)} / m²`}),
      ` at ${clock(place.highest_time)}${several ? `, ${name}` : ''}`, make('small', {textContent: `${Math.round(place.person_seconds)} person-seconds, ${clock(place.from)} to ${clock(place.until)}`}));
    button.addEventListener('click', () => {
      flyTo(viewer, place);
      viewer.seek(Math.max(0, place.from - 10));
      viewer.setPlaying(true);
    });
    return make('li', {}, button);
  }
}

interface Counted {
  number: number;
  from: Place;
  to: Place;
  length: number;
  crossings: [number, number][];
  box: HTMLElement;
  plot: uPlot | null;
}

/** A line drawn over the floor, and who crosses it: how many each way, how many a second and a metre, and when. */
class CountCard implements Card {
  readonly element = make('section', {id: 'line-counters'}, make('h2', {textContent: 'Counters'}));
  private readonly button = make('button', {id: 'count-line', textContent: 'Count across a line', title: 'Two clicks on the floor'});
  private readonly list = make('div');
  private readonly counted: Counted[] = [];
  private first: Place | null = null;
  private active = false;
  private last = 0;
  private asked = 0;

  constructor(private readonly viewer: Viewer) {
    this.button.setAttribute('aria-pressed', 'false');
    this.button.addEventListener('click', () => this.activate(!this.active));
    this.element.append(this.button, this.list);
  }

  private activate(on: boolean): void {
    this.active = on;
    this.first = null;
    this.button.setAttribute('aria-pressed', String(on));
    if (on) this.viewer.notice('Click both ends of the line. Who crosses it from its left to its right counts forwards.', 5000);
    this.draw(null);
  }

  cancel(): boolean {
    const was = this.active;
    if (was) this.activate(false);
    return was;
  }

  click(place: Place): boolean {
    if (!this.active) return false;
    if (!this.first) {
      this.first = place;
      return true;
    }
    if (this.first.layer !== place.layer) {
      this.viewer.notice('Both ends of a line lie on one storey.', 4000);
      return true;
    }
    const from = this.first;
    this.activate(false);
    void this.add(from, place);
    return true;
  }
  hover(place: Place | null): void { if (this.active) this.draw(place); }

  private async add(from: Place, to: Place): Promise<void> {
    const line: Counted = {number: ++this.last, from, to, length: Math.hypot(to.x - from.x, to.y - from.y), crossings: [], box: make('div', {className: 'counter'}), plot: null};
    this.counted.push(line);
    this.list.append(line.box);
    this.draw(null);
    await this.count(line);
  }

  private async count(line: Counted): Promise<void> {
    const {from, to} = line;
    try {
      const {crossings} = await getJson<{crossings: [number, number][]}>(`api/count?x0=${from.x}&y0=${from.y}&x1=${to.x}&y1=${to.y}&layer=${from.layer}`);
      line.crossings = crossings;
      this.show(line);
    } catch (error) {
      line.box.textContent = `This cannot be counted: ${(error as Error).message}`;
    }
  }

  /** A run that goes on is counted again, with what was recorded meanwhile. */
  refresh(): void {
    if (this.viewer.session.mode !== 'live' || this.counted.length === 0 || performance.now() - this.asked < 3000) return;
    this.asked = performance.now();
    for (const line of this.counted) void this.count(line);
  }

  private show(line: Counted): void {
    const {crossings} = line, forward = crossings.filter(c => c[1] > 0).length, back = crossings.length - forward;
    const span = crossings.length > 1 ? crossings[crossings.length - 1][0] - crossings[0][0] : 0, flow = span > 0 ? (crossings.length - 1) / span : null;
    const remove = make('button', {textContent: '×', title: 'No longer counted'});
    remove.setAttribute('aria-label', `remove line ${line.number}`);
    remove.addEventListener('click', () => {
      this.counted.splice(this.counted.indexOf(line), 1);
      line.plot?.destroy();
      line.box.remove();
      this.draw(null);
    });
    line.plot?.destroy();
    const facts: [string, string][] = [['forwards · back', `${forward} · ${back}`], ['flow', flow === null ? '—' : `${flow.toFixed(2)} /s, ${(flow / line.length).toFixed(2)} /(m s)`], ['length', `${line.length.toFixed(2)} m`]];
    line.box.replaceChildren(make('h3', {}, `Line ${line.number} `, remove), make('dl', {}, ...facts.flatMap(([what, value]) => [make('dt', {textContent: what}), make('dd', {textContent: value})])));
    line.plot = crossings.length > 0 ? this.curve(line) : null;
  }

  /** Persons a second over ten seconds. */
  private curve(line: Counted): uPlot {
    const wide = 10, end = Math.max(this.viewer.end, line.crossings[line.crossings.length - 1][0]), step = Math.max(1, Math.ceil(end / 600));
    const times: number[] = [], flows: number[] = [];
    let first = 0, behind = 0;
    for (let t = 0; t <= end + 1e-9; t += step) {
      while (behind < line.crossings.length && line.crossings[behind][0] <= t) ++behind;
      while (first < behind && line.crossings[first][0] <= t - wide) ++first;
      times.push(t);
      flows.push((behind - first) / wide);
    }
    const plot = new uPlot({width: Math.max(200, this.list.clientWidth - 4), height: 96, legend: {show: false}, scales: {x: {time: false}, y: {range: (_u, _l, h) => [0, Math.max(1.05 * h, 0.1)]}},
      axes: [{size: 22, font: '10px system-ui'}, {size: 30, font: '10px system-ui'}], series: [{}, {stroke: css(category(4)), width: 1.5, points: {show: false}}]}, [times, flows], line.box);
    plot.over.addEventListener('click', e => this.viewer.seek(plot.posToVal(e.offsetX, 'x')));
    return plot;
  }

  private draw(end: Place | null): void {
    const marks = (from: Place, to: Place, text: string): Mark[] => {
      const length = Math.hypot(to.x - from.x, to.y - from.y) || 1, [mx, my] = [(from.x + to.x) / 2, (from.y + to.y) / 2], u = [(to.y - from.y) / length, -(to.x - from.x) / length];
      return [{shape: 'line', points: [[from.x, from.y], [to.x, to.y]], layer: from.layer, colour: '#d91a40', text: ''},
              {shape: 'arrow', points: [[mx, my], [mx + u[0], my + u[1]]], layer: from.layer, colour: '#d91a40', text}];
    };
    this.viewer.marks.keep('counters', [...this.counted.flatMap(line => marks(line.from, line.to, String(line.number))), ...(this.first && end && this.first.layer === end.layer ? marks(this.first, end, '') : [])]);
  }
}

interface Way {
  found: boolean;
  reason: string;
  length: number | null;
  clearance: number | null;
  points: [number, number, number][];
}

/** The way between two clicks for a body of a radius, its length and how narrow it gets; of the pointer, the clearance. */
class WayCard implements Card {
  readonly element = make('section', {id: 'way'}, make('h2', {textContent: 'Way between two places'}));
  private readonly button = make('button', {id: 'find-way', textContent: 'Click two places'});
  private readonly radius = make('input', {type: 'number', id: 'way-radius', min: '0', max: '1000', step: '0.05', value: '0.25'});
  private readonly facts = make('dl');
  private from: Place | null = null;
  private to: Place | null = null;
  private active = false;
  private pointer: Place | null = null;
  private asking = false;

  constructor(private readonly viewer: Viewer) {
    this.button.setAttribute('aria-pressed', 'false');
    this.button.addEventListener('click', () => this.activate(!this.active));
    this.radius.addEventListener('change', () => void this.find());
    this.element.append(make('div', {className: 'group wrap'}, this.button), make('label', {}, 'Radius of the body ', this.radius, ' m'), this.facts);
  }

  private activate(on: boolean): void {
    this.active = on;
    this.button.setAttribute('aria-pressed', String(on));
    if (on) this.from = this.to = null;
  }
  cancel(): boolean {
    const was = this.active;
    this.activate(false);
    return was;
  }
  refresh(): void { /* nothing changes by itself */ }

  click(place: Place): boolean {
    if (!this.active) return false;
    if (!this.from) this.from = place;
    else {
      this.to = place;
      this.active = false;
      this.button.setAttribute('aria-pressed', 'false');
      void this.find();
    }
    return true;
  }

  /** The clearance where the pointer is, as exactly as the mesh knows it; asked for again where the pointer moved on meanwhile. */
  hover(place: Place | null): void {
    this.pointer = place;
    if (place && !this.asking) void this.tellClearance(place);
  }
  private async tellClearance(place: Place): Promise<void> {
    this.asking = true;
    try {
      const {clearance} = await getJson<{clearance: number | null}>(`api/at?x=${place.x}&y=${place.y}&layer=${place.layer}`), box = document.getElementById('place')!;
      if (this.pointer === place && clearance !== null && box.textContent) box.textContent = `${box.textContent.replace(/ · clearance.*$/, '')} · clearance ${clearance.toFixed(3)} m`;
    } catch { /* the connection is lost, which is told elsewhere */ } finally {
      this.asking = false;
    }
    if (this.pointer && this.pointer !== place) await this.tellClearance(this.pointer);
  }

  private async find(): Promise<void> {
    const {from, to, viewer} = this;
    if (!from || !to) return;
    const way = await getJson<Way>(`api/way?x0=${from.x}&y0=${from.y}&layer0=${from.layer}&x1=${to.x}&y1=${to.y}&layer1=${to.layer}&radius=${Number(this.radius.value)}`);
    const facts: [string, string][] = way.found ? [['length', `${way.length!.toFixed(3)} m`], ['narrowest', way.clearance === null ? '—' : `${way.clearance.toFixed(3)} m clearance`]] : [['no way', way.reason]];
    this.facts.replaceChildren(...facts.flatMap(([what, value]) => [make('dt', {textContent: what}), make('dd', {textContent: value})]));
    // A line for each layer it leads through.
    const marks: Mark[] = [];
    for (const [x, y, layer] of way.points) {
      const last = marks[marks.length - 1];
      if (last && last.layer === layer) last.points.push([x, y]);
      else marks.push({shape: 'line', points: [...(last ? [last.points[last.points.length - 1]] : []), [x, y]], layer, colour: '#d91a40', text: ''});
    }
    viewer.marks.keep('way', marks);
  }
}
