// The chosen person: who they are, where they go, and the lines of their way and route.
import {getJson} from './api';
import type {Viewer} from './main';
import {wayColours} from './overlays';

/** x, y, layer, and for what was walked the time. */
type Way = [number, number, number, number?][];

export interface Person {
  serial: number;
  population: string;
  profile: string;
  radius: number;
  appears: number;
  leaves: number | null;
  goals: string[];
  way: Way;  // recorded: walked; live: ahead
}

/** Of a recorded person: planned by the server from where they are at that time. */
interface PlannedRoute {
  serial: number;
  time: number;
  goal: string | null;
  points: Way;
}

/** Seconds shown after which the route of somebody recorded is planned again. */
const routeAge = 0.5;

function lengthOf(points: Way): number {
  let length = 0;
  for (let i = 1; i < points.length; ++i) length += Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
  return length;
}

const element = (id: string): HTMLElement => document.getElementById(id)!;

export class PersonPanel {
  private person: Person | null = null;
  route: PlannedRoute | null = null;
  private facts: [string, string][] = [];
  private asking = false;

  constructor(private readonly viewer: Viewer) {}

  /** 0: nobody. */
  async choose(serial: number): Promise<void> {
    const {viewer} = this;
    this.person = this.route = null;
    viewer.overlays.showWays([]);
    viewer.marks.keepPersons(serial);
    element('person').hidden = serial === 0;
    if (serial === 0) return;
    element('person-serial').textContent = String(serial);
    if (viewer.session.mode === 'live') return viewer.tools?.ask(serial);
    try {
      const person = await getJson<Person>(`api/person?serial=${serial}`);
      if (viewer.selected !== serial) return;
      this.show(person, [['appears', `${person.appears.toFixed(1)} s`], ['leaves', person.leaves === null ? 'not yet' : `${person.leaves.toFixed(1)} s`]]);
    } catch (error) {
      viewer.notice((error as Error).message, 5000);
    }
  }

  show(person: Person, more: [string, string][]): void {
    this.person = person;
    this.facts = [['population', person.population], ['profile', person.profile],
      ['goals', person.goals.length > 0 ? person.goals.join(', then ') : 'none'], ['radius', `${person.radius.toFixed(2)} m`], ...more];
    this.showFacts();
    this.refresh();
  }

  /** Lines are those of the time that is shown. */
  refresh(): void {
    if (!this.person) return;
    this.drawWay(this.person);
    void this.planRoute();
  }

  private showFacts(): void {
    const {viewer} = this, live = viewer.session.mode === 'live', route = live ? this.person?.way : this.route?.points;
    const walks = route && route.length > 1;
    const facts = [...this.facts];
    if (!live && this.route) facts.push(['heading for', this.route.goal ?? (viewer.crowd.indexOf(viewer.selected) < 0 ? 'not here now' : 'arrived')]);
    if (live || this.route) facts.push(['route', walks ? `${lengthOf(route).toFixed(1)} m to go${live ? '' : ', planned from here'}` : 'none']);
    element('person-facts').replaceChildren(...facts.flatMap(([name, value]) =>
      [Object.assign(document.createElement('dt'), {textContent: name}), Object.assign(document.createElement('dd'), {textContent: value})]));
    element('way-key').hidden = live;
  }

  private drawWay(person: Person): void {
    const {overlays, session, time} = this.viewer;
    if (session.mode === 'live') return overlays.showWays([{points: person.way, colour: wayColours.route}]);
    const later = person.way.findIndex(point => point[3]! > time), at = later < 0 ? person.way.length : later;
    overlays.showWays([{points: person.way.slice(0, at), colour: wayColours.behind},
      {points: person.way.slice(Math.max(0, at - 1)), colour: wayColours.later}, {points: this.route?.points ?? [], colour: wayColours.route}]);
  }

  /** A recording holds where people were, not what they planned: the server plans it again, from where the chosen person is now. */
  private async planRoute(): Promise<void> {
    const {viewer} = this, {selected: serial, time} = viewer;
    if (viewer.session.mode !== 'recording' || this.asking || Math.abs((this.route?.time ?? -Infinity) - time) < routeAge) return;
    this.asking = true;
    try {
      const route = await getJson<PlannedRoute>(`api/route?serial=${serial}&time=${time}`);
      if (viewer.selected !== serial || !this.person) return;
      this.route = route;
      this.showFacts();
      this.drawWay(this.person);
      viewer.redraw();
    } catch { /* the notice about the connection says it */ } finally {
      this.asking = false;
    }
  }
}
