// Who walks: populations, profiles, what is measured, how long. The table and the plan show the same document; areas are picked by clicking them.
import {areaNames, Doc, freshName, Json, Point} from './document';
import {field, make, object, Schema} from './forms';
import {nameOfPeople} from './uses';

export interface PeopleBoard {
  readonly doc: Doc;
  change(doc: Doc, what: string, merge?: string | null): void;
  /** Lets the user click an area; its name is handed over. */
  pickArea(then: (name: string) => void): void;
  show(point: Point): void;
}

/** Members of a population that have a form of their own. */
const shownMembers = ['name', 'profile', 'count', 'rate', 'from', 'until', 'start', 'goals', 'at_goal', 'positions'];

const withScenario = (doc: Doc, members: Record<string, Json>): Doc => ({...doc, scenario: {...doc.scenario, ...members}});

export class PeoplePanel {
  private open = new Set<string>();

  constructor(private readonly board: PeopleBoard, private readonly schema: Schema) {}

  private get populations(): Json[] { return this.board.doc.scenario.populations ?? []; }
  private get profiles(): Record<string, Json> { return this.board.doc.scenario.profiles ?? {}; }

  private setPopulation(i: number, value: Json | null, what: string): void {
    const next = value === null ? this.populations.filter((_, k) => k !== i) : this.populations.map((p, k) => (k === i ? value : p));
    this.board.change(withScenario(this.board.doc, {populations: next}), what);
  }

  // --- populations

  populationsPanel(): HTMLElement {
    const {board} = this, box = make('div');
    const table = make('table', {className: 'table people'}, make('thead', {}, make('tr', {}, ...['who', 'people', 'from', 'to'].map(t => make('th', {scope: 'col', textContent: t})))));
    const body = make('tbody');
    this.populations.forEach((p, i) => {
      const name = make('button', {className: 'link', textContent: nameOfPeople(p, i)});
      name.setAttribute('aria-expanded', String(this.open.has(`p${i}`)));
      const row = make('tr', {}, make('td', {}, name), make('td', {textContent: p.positions ? 'as listed' : p.rate !== undefined ? `${this.text(p.rate)} /s` : String(p.count ?? 0)}),
        make('td', {textContent: this.placeText(p.start)}), make('td', {textContent: (p.goals ?? []).map((g: Json) => this.placeText(g)).join(', then ')}));
      const toggle = (): void => {
        const key = `p${i}`;
        if (!this.open.delete(key)) this.open.add(key);
        const panel = this.populationsPanel();
        box.replaceWith(panel);
        panel.querySelectorAll<HTMLElement>('button.link')[i]?.focus();
      };
      row.addEventListener('click', toggle);
      body.append(row);
      if (this.open.has(`p${i}`)) body.append(make('tr', {className: 'detail'}, make('td', {colSpan: 4}, this.populationForm(p, i))));
    });
    table.append(body);
    const add = make('button', {textContent: 'Add people', title: 'Another population'});
    add.addEventListener('click', () => this.add());
    if (areaNames(board.doc).length === 0) box.append(make('p', {className: 'hint', textContent: 'People start in an area and walk to others: draw areas first (tool Area), one where they start, one for each exit.'}));
    box.append(table, add);
    return box;
  }

  /** Another population: from an area that is named, or the first, to the last that is another. */
  add(from?: string): void {
    const {board} = this, areas = areaNames(board.doc), profile = Object.keys(this.profiles)[0], start = from ?? areas[0], goal = areas.filter(a => a !== start).pop();
    this.open.add(`p${this.populations.length}`);
    board.change(withScenario(board.doc, {populations: [...this.populations, {name: freshName('people', this.populations.map(p => p.name ?? '')), ...(profile ? {profile} : {}), count: 20, ...(start ? {start: {area: start}} : {}), goals: goal ? [{area: goal}] : []}]}), 'add people');
  }

  measure(area: string): void {
    const {board} = this;
    board.change(withScenario(board.doc, {measure: [...(board.doc.scenario.measure ?? []), {area, every: 1}]}), 'measure an area');
  }

  private text(v: Json): string { return typeof v === 'number' ? String(v) : JSON.stringify(v); }

  private placeText(p: Json): string {
    if (!p) return '—';
    if (p.area) return p.area;
    if (p.nearest) return `the nearest of ${p.nearest.join(', ')}`;
    if (p.choose) return `one of ${Object.keys(p.choose).join(', ')}`;
    if (p.point) return `(${p.point.join(', ')})`;
    return p.polygon ? 'a polygon' : '—';
  }

  private populationForm(p: Json, i: number): HTMLElement {
    const {board} = this, box = make('div', {className: 'form population'});
    const set = (members: Record<string, Json | undefined>, what: string): void => {
      const next = {...p, ...members};
      for (const [k, v] of Object.entries(members)) if (v === undefined) delete next[k];
      this.setPopulation(i, next, what);
    };
    const schema = this.schema.definitions.population.anyOf?.[0] ?? this.schema.definitions.population;
    const member = (name: string): Schema => schema.properties?.[name] ?? {};
    box.append(field(this.schema, 'name', {type: 'string', ...member('name')}, p.name, v => set({name: v}, 'name people')));
    box.append(this.choice('profile', Object.keys(this.profiles), p.profile, v => set({profile: v}, 'choose a profile')));
    if (!p.positions) {
      const kind = p.rate !== undefined ? 'rate' : 'count';
      box.append(this.choice('come', ['all at the start', 'over time'], kind === 'rate' ? 'over time' : 'all at the start', v =>
        set(v === 'over time' ? {count: undefined, rate: 1, from: 0, until: board.doc.scenario.duration ?? 120} : {rate: undefined, from: undefined, until: undefined, count: p.count ?? 20}, 'change how people come')));
      if (kind === 'count') box.append(field(this.schema, 'count', {...member('count'), type: 'integer', description: 'people'}, p.count, v => set({count: v ?? 0}, 'change how many')));
      else {
        box.append(field(this.schema, 'rate', {...member('rate'), type: 'number', description: 'people a second'}, p.rate, v => set({rate: v ?? 0}, 'change the rate')));
        for (const end of ['from', 'until']) box.append(field(this.schema, end, {...member(end), type: 'number', description: 'seconds'}, p[end], v => set({[end]: v}, 'change when they come')));
      }
      box.append(this.placeField('start', p.start, v => set({start: v}, 'choose the start'), false));
    } else box.append(make('p', {className: 'hint', textContent: `They start where ${p.positions} says.`}));
    (p.goals ?? []).forEach((goal: Json, g: number) => {
      const goals = p.goals as Json[], change = (v: Json | undefined): void => set({goals: v === undefined ? goals.filter((_, k) => k !== g) : goals.map((old, k) => (k === g ? v : old))}, 'change a goal');
      box.append(this.placeField(g === 0 ? 'goes to' : 'then to', goal, change, true));
    });
    const more = make('button', {textContent: 'Another goal'}), remove = make('button', {textContent: 'Remove these people'});
    more.addEventListener('click', () => set({goals: [...(p.goals ?? []), {area: areaNames(board.doc)[0] ?? ''}]}, 'add a goal'));
    remove.addEventListener('click', () => { this.open.delete(`p${i}`); this.setPopulation(i, null, 'remove people'); });
    box.append(this.choice('at the last goal', ['leave', 'stay'], p.at_goal ?? 'leave', v => set({at_goal: v === 'leave' ? undefined : v}, 'change what they do there')));
    box.append(make('div', {className: 'group wrap'}, more, remove), this.others(p, i, schema));
    return box;
  }

  /** Whatever else the schema knows of populations: groups, … */
  private others(p: Json, i: number, schema: Schema): HTMLElement {
    const key = `m${i}`, names = Object.keys(schema.properties ?? {}).filter(name => !shownMembers.includes(name) && (name !== 'positions' || p.positions));
    const details = make('details', {open: this.open.has(key)}, make('summary', {textContent: 'More'}), object(this.schema, schema, p, v => this.setPopulation(i, v, 'change people'), names));
    details.addEventListener('toggle', () => (details.open ? this.open.add(key) : this.open.delete(key)));
    return details;
  }

  private choice(label: string, options: string[], value: string | undefined, change: (v: string) => void): HTMLElement {
    const select = make('select');
    select.setAttribute('aria-label', label);
    const known = value !== undefined && !options.includes(value) ? [value, ...options] : options;
    for (const option of known) select.append(new Option(option, option, false, option === value));
    select.addEventListener('change', () => change(select.value));
    return make('div', {className: 'field'}, make('label', {}, label), select);
  }

  /** An area, the nearest of several, or what else the file says, which stays as it is. */
  private placeField(label: string, place: Json, change: (v: Json | undefined) => void, isGoal: boolean): HTMLElement {
    const {board} = this, areas = areaNames(board.doc), box = make('fieldset', {}, make('legend', {textContent: label}));
    const {wait, ...rest} = place ?? {};
    const kind = rest.nearest ? 'nearest' : rest.area !== undefined || Object.keys(rest).length === 0 ? 'area' : 'other';
    if (isGoal) box.append(this.choice('kind', kind === 'other' ? ['as in the file', 'one area', 'the nearest of several'] : ['one area', 'the nearest of several'],
      kind === 'other' ? 'as in the file' : kind === 'area' ? 'one area' : 'the nearest of several',
      v => change({...(v === 'one area' ? {area: rest.nearest?.[0] ?? areas[0] ?? ''} : v === 'the nearest of several' ? {nearest: rest.area ? [rest.area] : areas.slice(0, 1)} : rest), ...(wait !== undefined ? {wait} : {})})));
    const pick = make('button', {textContent: 'Pick in the plan', title: 'Click an area in the plan'});
    if (kind === 'area') {
      box.append(this.choice('area', areas, rest.area, v => change({...place, area: v})));
      pick.addEventListener('click', () => board.pickArea(name => change({...place, area: name})));
      box.append(pick);
    } else if (kind === 'nearest') {
      for (const name of [...new Set([...areas, ...rest.nearest])]) {
        const input = make('input', {type: 'checkbox', checked: rest.nearest.includes(name)});
        input.addEventListener('change', () => change({...place, nearest: input.checked ? [...rest.nearest, name] : rest.nearest.filter((n: string) => n !== name)}));
        box.append(make('label', {className: 'check'}, input, ` ${name}`));
      }
      pick.addEventListener('click', () => board.pickArea(name => change({...place, nearest: [...new Set([...rest.nearest, name])]})));
      box.append(pick);
    } else box.append(make('p', {className: 'hint', textContent: this.placeText(rest)}));
    if (isGoal) {
      box.append(field(this.schema, 'wait', {anyOf: [{type: 'number', minimum: 0}, {$ref: '#/definitions/distribution'}], description: 'seconds they stay there'}, wait, v => change(v === undefined ? rest : {...rest, wait: v})));
      const remove = make('button', {textContent: 'Remove this goal'});
      remove.addEventListener('click', () => change(undefined));
      box.append(remove);
    }
    return box;
  }

  // --- profiles

  profilesPanel(): HTMLElement {
    const {board} = this, box = make('div');
    for (const [name, profile] of Object.entries(this.profiles)) {
      const details = make('details', {open: this.open.has(`f${name}`)}, make('summary', {textContent: name}));
      details.addEventListener('toggle', () => (details.open ? this.open.add(`f${name}`) : this.open.delete(`f${name}`)));
      const title = make('input', {type: 'text', value: name});
      title.setAttribute('aria-label', 'name of the profile');
      title.addEventListener('change', () => this.renameProfile(name, title.value));
      const remove = make('button', {textContent: 'Remove this profile', disabled: this.populations.some(p => p.profile === name)});
      remove.title = remove.disabled ? 'Some people have it' : '';
      remove.addEventListener('click', () => {
        const {[name]: _gone, ...rest} = this.profiles;
        board.change(withScenario(board.doc, {profiles: rest}), 'remove a profile');
      });
      details.append(make('div', {className: 'field'}, make('label', {}, 'name'), title),
        object(this.schema, this.schema.definitions.profile, profile, v => board.change(withScenario(board.doc, {profiles: {...this.profiles, [name]: v}}), `change ${name}`)), remove);
      box.append(details);
    }
    const add = make('button', {textContent: 'Add a profile'});
    add.addEventListener('click', () => {
      const name = freshName('profile', Object.keys(this.profiles));
      this.open.add(`f${name}`);
      board.change(withScenario(board.doc, {profiles: {...this.profiles, [name]: {}}}), 'add a profile');
    });
    box.append(add);
    return box;
  }

  private renameProfile(from: string, to: string): void {
    if (!to || to === from || to in this.profiles) return;
    this.open.add(`f${to}`);
    const profiles = Object.fromEntries(Object.entries(this.profiles).map(([n, p]) => [n === from ? to : n, p]));
    this.board.change(withScenario(this.board.doc, {profiles, populations: this.populations.map(p => (p.profile === from ? {...p, profile: to} : p))}), 'rename a profile');
  }

  // --- the run, and what is measured

  settingsPanel(): HTMLElement {
    const {board} = this, box = make('div');
    box.append(object(this.schema, this.schema, board.doc.scenario, v => board.change({...board.doc, scenario: v}, 'change the run'), ['duration', 'time_step', 'seed', 'contact', 'record']));
    const measures: Json[] = board.doc.scenario.measure ?? [];
    box.append(make('h2', {textContent: 'Measured'}), make('p', {className: 'hint', textContent: 'Lines count who crosses them (tool Line); areas tell how dense it is.'}));
    measures.forEach((m, i) => {
      const set = (v: Json | null): void => {
        const next = v === null ? measures.filter((_, k) => k !== i) : measures.map((old, k) => (k === i ? v : old));
        const {measure: _m, ...rest} = board.doc.scenario;
        board.change({...board.doc, scenario: next.length > 0 ? {...board.doc.scenario, measure: next} : rest}, 'change what is measured');
      };
      const row = make('div', {className: 'field'});
      const name = make('input', {type: 'text', value: m.name ?? m.area ?? ''});
      name.setAttribute('aria-label', 'name of the measure');
      name.addEventListener('change', () => set({...m, name: name.value}));
      const remove = make('button', {textContent: '×', title: 'No longer measured'});
      remove.setAttribute('aria-label', `no longer measure ${name.value}`);
      remove.addEventListener('click', () => set(null));
      row.append(make('span', {textContent: m.line ? `line, ${Math.hypot(m.line[1][0] - m.line[0][0], m.line[1][1] - m.line[0][1]).toFixed(2)} m` : `area, every ${m.every ?? 1} s`}), name, remove);
      box.append(row);
    });
    const areas = areaNames(board.doc).filter(a => !measures.some(m => m.area === a));
    if (areas.length > 0) {
      const select = make('select');
      select.setAttribute('aria-label', 'measure density in');
      select.append(new Option('measure density in …', ''), ...areas.map(a => new Option(a, a)));
      select.addEventListener('change', () => { if (select.value) this.measure(select.value); });
      box.append(select);
    }
    return box;
  }
}
