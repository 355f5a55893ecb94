// What only a live run has: changing it, and what the person under the pointer has in mind.
import type {Mark} from './api';
import type {Viewer} from './main';
import type {Person} from './person';
import {insideRings} from './world';

type Tool = 'look' | 'obstacle' | 'remove' | 'people' | 'sign' | 'goal' | 'ground';

const help: Record<Tool, string> = {
  look: 'Click a person to know more; point at one to see what they have in mind.',
  obstacle: 'Click the floor: an obstacle is dropped there, and the mesh is built anew.',
  remove: 'Click an obstacle: it goes, and people walk through where it stood.',
  people: 'Click the floor: people of the chosen population appear there.',
  sign: 'Click the floor beside an obstacle: a sign tells who sees it on which side to pass that. Click a sign: it is taken down.',
  goal: 'Click the floor: the chosen goal moves there, and everybody on the way to it plans anew.',
  ground: 'What a metre on a type of ground costs a profile: a number, or never. Whose way that touches plans again.',
};
const keys: Record<string, Tool> = {b: 'obstacle', r: 'remove', n: 'people', i: 'sign', m: 'goal'};

interface Heard {
  serial: number;
  person: Person | null;
  activity?: string;
  speed?: number;
  attraction?: [number, number] | null;
  neighbours?: number[];
  facts?: [string, string][];
  marks?: Mark[];
}

export class LiveTools {
  private tool: Tool = 'look';
  private hovered = 0;
  private lastAsked = 0;

  constructor(private readonly viewer: Viewer) {
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-tool]'))
      button.addEventListener('click', () => this.setTool(button.dataset.tool as Tool));
    for (const id of ['ground-profile', 'ground-type']) document.getElementById(id)!.addEventListener('change', () => this.showWeight());
    document.getElementById('ground-set')!.addEventListener('click', () => this.setWeight());
    document.getElementById('undo-change')!.addEventListener('click', () => this.viewer.socket.send({do: 'undo'}));
    this.setTool('look');
    this.refresh();
  }

  /** Names of goals and populations as they are now. */
  refresh(): void {
    const fill = (id: string, options: [string, string][]): void => {
      const select = document.getElementById(id) as HTMLSelectElement, before = select.value;
      select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
      if (options.some(([value]) => value === before)) select.value = before;
    };
    const {populations, goal_places} = this.viewer.session;
    fill('people-population', (populations ?? []).map((name, i) => [String(i), name]));
    fill('goal-choice', (goal_places ?? []).map(goal => [goal.id, goal.label]));
    const {profiles, ground} = this.viewer.session;
    fill('ground-profile', (profiles ?? []).map((name, i) => [String(i), name]));
    fill('ground-type', (ground?.types ?? []).map((name, i) => [String(i), name]));
    (document.querySelector("[data-tool='ground']") as HTMLElement).hidden = !ground?.types.length;
    this.showWeight();
    const changes = this.viewer.session.changes ?? 0, undo = document.getElementById('undo-change') as HTMLButtonElement;
    undo.disabled = changes === 0;
    undo.textContent = changes === 0 ? 'Undo a change' : `Undo a change (${changes})`;
  }

  /** The chosen profile and type, and the box with what that weighs. */
  private weight(): {profile: number; type: number; box: HTMLInputElement} {
    const number = (id: string): number => Number((document.getElementById(id) as HTMLSelectElement).value);
    return {profile: number('ground-profile'), type: number('ground-type'), box: document.getElementById('ground-weight') as HTMLInputElement};
  }
  private showWeight(): void {
    const {profile, type, box} = this.weight(), weight = this.viewer.session.ground?.weights[profile]?.[type];
    box.value = weight === null ? 'never' : weight === undefined ? '' : String(weight);
  }
  private setWeight(): void {
    const {profile, type, box} = this.weight(), said = box.value.trim(), weight = said === 'never' ? said : Number(said);
    this.viewer.socket.send({do: 'set_weight', profile, type: this.viewer.session.ground?.types[type], weight: said === '' || Number.isNaN(weight) ? said : weight});
  }

  /** Tools that take clicks. */
  get isActive(): boolean { return this.tool !== 'look' && this.tool !== 'ground'; }

  setTool(tool: Tool): void {
    this.tool = tool;
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-tool]'))
      button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
    for (const label of document.querySelectorAll<HTMLElement>('[data-for]')) label.hidden = label.dataset.for !== tool;
    document.getElementById('tool-help')!.textContent = help[tool];
  }

  key(key: string): void {
    if (key in keys) this.setTool(keys[key]);
  }

  /** Whether the click was a tool's. */
  click(x: number, y: number): boolean {
    if (!this.isActive) return false;
    if (this.tool === 'remove') {
      const id = this.obstacleAt(x, y)?.id, place = id ? null : this.viewer.building.onStorey(this.viewer.rayAt(x, y));
      if (id) this.viewer.socket.send({do: 'remove_obstacle', id});
      else if (place) this.viewer.socket.send({do: 'remove_obstacle', ...place});
      else this.viewer.notice('There is no obstacle to remove here.', 3000);
      return true;
    }
    const place = this.viewer.placeAt(x, y);
    this.viewer.backToNow();
    if (!place) {
      this.viewer.notice('There is no free floor here.', 3000);
      return true;
    }
    this.act(place);
    return true;
  }

  private ordered: {place: {x: number; y: number; layer: number}; at: number} | null = null;
  /** A refusal is marked where it was asked for, as long as its sentence stands. */
  refused(): void {
    const {ordered, viewer} = this;
    if (!ordered || performance.now() - ordered.at > 10000) return;
    const {x, y, layer} = ordered.place;
    viewer.marks.keep('refused', [{shape: 'text', points: [[x, y]], layer, colour: '#d7191c', text: 'not here'}]);
    setTimeout(() => viewer.marks.keep('refused', []), 7000);
  }

  private act(place: {x: number; y: number; layer: number}): void {
    this.ordered = {place, at: performance.now()};
    const value = (id: string): string => (document.getElementById(id) as HTMLInputElement).value;
    if (this.tool === 'obstacle') this.viewer.socket.send({do: 'add_obstacle', ...place, size: Number(value('obstacle-size'))});
    if (this.tool === 'people') this.viewer.socket.send({do: 'add_people', ...place, count: Number(value('people-count')), population: Number(value('people-population'))});
    if (this.tool === 'sign') this.placeSign(place, Number(value('sign-facing')), Number(value('sign-range')), value('sign-pass'));
    if (this.tool === 'goal') this.viewer.socket.send({do: 'move_goal', ...place, id: value('goal-choice')});
  }

  private placeSign(place: {x: number; y: number; layer: number}, facing: number, range: number, pass: string): void {
    const stands = (this.viewer.session.signs ?? []).some(sign => sign.layer === place.layer && Math.hypot(sign.x - place.x, sign.y - place.y) <= 1);
    if (stands) return void this.viewer.socket.send({do: 'remove_sign', ...place});
    this.viewer.socket.send({do: 'add_sign', ...place, facing, range, pass});
    if (!this.viewer.store.state.drawn.includes('guidance')) this.viewer.store.set({drawn: [...this.viewer.store.state.drawn, 'guidance']});
  }

  /** Obstacles are no floor: they are looked for on the planes of their layers. */
  private obstacleAt(x: number, y: number): {id: string; layer: number; ring: [number, number][]} | null {
    const ray = this.viewer.rayAt(x, y), {building, session} = this.viewer;
    for (const obstacle of session.obstacles ?? []) {
      if (!building.isShown(obstacle.layer)) continue;
      const [ox, oy] = obstacle.ring[0];
      for (const height of [building.shown.walls, 0]) {
        const t = (building.z(obstacle.layer, ox, oy) + height - ray.origin.z) / ray.direction.z;
        const px = ray.origin.x + t * ray.direction.x, py = ray.origin.y + t * ray.direction.y;
        if (t > 0 && insideRings([{points: new Float32Array(obstacle.ring.flat())}], px, py)) return obstacle;
      }
    }
    return null;
  }

  hover(x: number, y: number): void {
    this.preview(x, y);
    this.hovered = this.viewer.personAt(x, y);
    const box = document.getElementById('hover')!;
    box.style.left = `${x + 16}px`;
    box.style.top = `${y > 80 ? y - 58 : y + 14}px`;
    if (this.hovered) this.ask(this.hovered);
    else this.forget();
  }
  /** Where the obstacle would stand, and which would go, before the click. */
  private preview(x: number, y: number): void {
    const going = this.tool === 'remove' ? this.obstacleAt(x, y) : null;
    if (going) return this.viewer.overlays.showOutline(going);
    const place = this.tool === 'obstacle' ? this.viewer.placeAt(x, y) : null, h = Number((document.getElementById('obstacle-size') as HTMLInputElement).value) / 2;
    this.viewer.overlays.showOutline(place && h > 0 ? {layer: place.layer, ring: [[place.x - h, place.y - h], [place.x + h, place.y - h], [place.x + h, place.y + h], [place.x - h, place.y + h]]} : null);
  }
  leave(): void {
    this.viewer.overlays.showOutline(null);
    this.hovered = 0;
    this.forget();
  }
  private forget(): void {
    document.getElementById('hover')!.hidden = true;
    this.viewer.overlays.showMind(null, null, []);
    this.viewer.marks.keepPersons(this.viewer.selected);
  }

  /** Called while the run goes on: what is shown of a person stays true. */
  watch(): void {
    const now = performance.now();
    if (now - this.lastAsked < 200) return;
    if (this.hovered) this.ask(this.hovered);
    if (this.viewer.selected && this.viewer.selected !== this.hovered) this.ask(this.viewer.selected);
  }

  ask(serial: number): void {
    this.lastAsked = performance.now();
    this.viewer.socket.send({do: 'inspect', serial});
  }

  heardOf(message: Record<string, unknown>): void {
    const heard = message as unknown as Heard;
    if (heard.serial === this.viewer.selected && heard.person)
      this.viewer.panel.show(heard.person, [['doing', heard.activity ?? ''], ['speed', `${(heard.speed ?? 0).toFixed(2)} m/s`],
        ['neighbours', (heard.neighbours ?? []).join(', ') || 'none'], ...(heard.facts ?? [])]);
    if (heard.serial === this.viewer.selected || heard.serial === this.hovered) this.viewer.marks.showPerson(heard.serial, heard.marks ?? []);
    this.viewer.marks.keepPersons(this.viewer.selected, this.hovered);
    if (heard.serial === this.hovered) this.showMind(heard);
  }

  private showMind(heard: Heard): void {
    const {crowd, overlays} = this.viewer;
    const i = crowd.indexOf(heard.serial);
    if (i < 0 || !heard.person) return this.forget();
    const places = (heard.neighbours ?? []).map(s => crowd.indexOf(s)).filter(k => k >= 0)
      .map(k => [crowd.x[k], crowd.y[k], crowd.z[k]] as [number, number, number]);
    overlays.showMind([crowd.x[i], crowd.y[i], crowd.z[i]], heard.attraction ?? null, places);
    const box = document.getElementById('hover')!;
    box.textContent = `${heard.serial}: ${heard.person.profile}, ${heard.activity}\n${(heard.speed ?? 0).toFixed(2)} m/s, ${places.length} neighbours in mind`;
    box.hidden = false;
  }
}
