// The editor: one document, one history; the plan, the panels and the worker all read it.
import '../style.css';
import './edit.css';
import {addFeatures, areaNames, boxOf, changeFeatures, Doc, docOf, Feature, featureBox, featureOf, freshName, heights, isRamp, layerOf, layersOf, mapPoints, Point, removeFeatures,
        textOf, withLayers, withNamedLayers} from './document';
import {Checker, Complaint, keysOf, marksOf, placeOf, sentenceOf} from './checker';
import {make, Schema} from './forms';
import {History} from './history';
import {PeoplePanel} from './people';
import {Plan} from './plan';
import {Job, Runs} from './runs';
import {raiseStorey, removeStorey, renameStorey, withoutEmptyStairs} from './storeys';
import {Board, Field, ToolName, Tools} from './tools';
import type {Hit} from './snapping';
import {openPlanDialog} from './import';
import {kindNames, shortcuts, toolHelp, toolKeys} from './words';
import {ask} from './dialog';
import {selectedPanel} from './selected';
import {changeMeasure, measureAt, moveMeasure} from './measures';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const base = location.pathname.endsWith('/edit/') ? './' : './edit/';

/** How the plan is looked at: kept by the program with the document. */
interface Look {
  name: string;
  layer: string;
  centre: Point;
  scale: number;
  tab: string;
  seeds: string;
  picture: {scale: number; at: Point; opacity: number; layer: string} | null;
}

class Editor implements Board {
  history!: History;
  plan!: Plan;
  tools!: Tools;
  checker!: Checker;
  runs = new Runs(base);
  people!: PeoplePanel;
  schema: Schema;
  name = 'plan';
  grid = 0.1;
  shape: 'rectangle' | 'polygon' = 'rectangle';
  canSave = false;
  tab = 'selected';
  layer = '';
  private clipboard: Feature[] = [];
  private picking: ((name: string) => void) | null = null;
  private dirty = false;
  private panning: {x: number; y: number} | null = null;
  private spaceDown = false;
  private spacePanned = false;

  get doc(): Doc { return this.history.doc; }

  async start(): Promise<void> {
    const [opened, schema] = await Promise.all([fetch(`${base}api/document`).then(r => r.json()), fetch(`${base}api/schema`).then(r => r.json())]);
    this.schema = schema;
    this.history = new History(docOf(opened.document));
    this.plan = new Plan(element('plan'), element('over'));
    this.tools = new Tools(this);
    this.people = new PeoplePanel(this, schema);
    this.checker = new Checker(opened.version, base);
    this.checker.onChange = () => this.showComplaints();
    this.checker.onFailure = what => this.say(what);
    this.history.onChange = () => this.changed();
    this.runs.onChange = () => { if (this.tab === 'runs') this.showTab(); };
    this.runs.onDone = job => this.jobDone(job);
    this.controls();
    this.pointer();
    this.keyboard();
    this.setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
    this.setTool('select');
    await this.take(opened);
    setInterval(() => this.remember(), 300);
    void this.runs.poll();
    document.documentElement.dataset.ready = 'true';
  }

  /** What was opened, here or by the program. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  private async take(opened: any): Promise<void> {
    this.name = opened.name;
    this.canSave = opened.can_save;
    element('name').textContent = this.name;
    document.title = `${this.name} · Throng editor`;
    const doc = docOf(opened.document);
    this.layer = layersOf(doc)[0].id;
    this.plan.selected.clear();
    this.plan.background = null;
    element('background-section').hidden = true;
    this.history.restart(doc);
    this.fit();
    this.opened = opened.opened;
    if (opened.picture) await this.takePicture(`${base}api/picture?${opened.opened}`, opened.page?.picture ?? null);
    if (opened.page) this.lookAgain(opened.page);
    for (const problem of opened.problems ?? []) this.say(problem.message);
    if (opened.plan && opened.version === 0) void this.chooseLayers(opened.plan);
  }

  // --- how it is looked at, which a reload finds again

  private opened = 0;
  private remembered = '';
  private get look(): Look {
    const {centre, scale, background: b} = this.plan;
    return {name: this.name, layer: this.layer, centre, scale, tab: this.tab, seeds: element<HTMLInputElement>('seeds').value, picture: b && {scale: b.scale, at: b.at, opacity: b.opacity, layer: b.layer}};
  }
  private remember(): void {
    const now = JSON.stringify(this.look);
    if (now === this.remembered) return;
    this.remembered = now;
    void this.runs.post(`page?opened=${this.opened}`, now).catch(() => { this.remembered = ''; });
  }
  private lookAgain(look: Look): void {
    this.name = look.name;
    element('name').textContent = look.name;
    if (layersOf(this.doc).some(l => l.id === look.layer)) this.setLayer(look.layer);
    Object.assign(this.plan, {centre: look.centre, scale: look.scale});
    element<HTMLInputElement>('seeds').value = look.seeds;
    this.tab = look.tab;
    this.showTab();
    this.plan.redraw();
  }

  // --- the document

  change(doc: Doc, what: string, merge: string | null = null): void {
    if (doc === this.doc) return;
    this.history.change(doc, what, merge);
  }
  seal(): void { this.history.seal(); }

  private changed(): void {
    const {doc} = this;
    this.dirty = true;
    this.plan.take(doc);
    if (!layersOf(doc).some(l => l.id === this.layer)) this.layer = layersOf(doc)[0].id, this.plan.redraw();
    this.plan.layer = this.layer;
    if (this.plan.measure !== null && !measureAt(doc, this.plan.measure)) this.plan.measure = null;
    const present = new Set(doc.keys);
    for (const key of this.plan.selected) if (!present.has(key)) this.plan.selected.delete(key);
    this.checker.send(doc);
    this.showHistory();
    this.showStoreys();
    this.showTab();
  }

  private showHistory(): void {
    for (const [id, what, verb, keys] of [['undo', this.history.undoable, 'Undo', 'Ctrl+Z'], ['redo', this.history.redoable, 'Redo', 'Ctrl+Y']] as const) {
      const button = element<HTMLButtonElement>(id);
      button.disabled = what === null;
      button.title = what === null ? `Nothing to ${verb.toLowerCase()} (${keys})` : `${verb}: ${what} (${keys})`;
    }
  }

  select(keys: Iterable<number>, measure: number | null = null): void {
    this.plan.selected = new Set(keys);
    this.plan.measure = measure;
    this.plan.redrawTop();
    if ((this.plan.selected.size > 0 || measure !== null) && this.tab !== 'selected') this.tab = 'selected';
    this.showTab();
  }

  say(what: string): void {
    const box = element('notice');
    box.textContent = what;
    box.hidden = what === '';
    setTimeout(() => { if (box.textContent === what) box.hidden = true; }, 7000);
  }

  setTool(tool: ToolName): void {
    this.tools.set(tool);
    document.body.dataset.tool = tool;
    for (const button of document.querySelectorAll<HTMLButtonElement>('.tools [data-tool]')) button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
    element('tool-help').textContent = toolHelp[tool] ?? '';
  }

  // --- what people do with it

  pickArea(then: (name: string) => void): void {
    this.picking = then;
    this.setTool('pick');
    this.say('Click an area in the plan.');
  }
  picked(hit: Hit | null): void {
    const name = hit?.feature.properties.kind === 'area' ? hit.feature.properties.name : undefined;
    if (!name) return this.say('There is no area here.');
    const then = this.picking;
    this.picking = null;
    this.setTool('select');
    then?.(name);
  }
  show(point: Point): void {
    this.plan.centre = point;
    this.plan.redraw();
  }

  fit(): void {
    const shown = this.plan.drawnWith(this.layer), features = this.doc.features.filter(f => f.properties.kind === 'connection' || shown.has(layerOf(this.doc, f)));
    const box = boxOf(features), b = this.plan.background;
    const picture: [number, number, number, number] | null = b ? [b.at[0], b.at[1], b.at[0] + b.image.naturalWidth * b.scale, b.at[1] + b.image.naturalHeight * b.scale] : null;
    this.plan.fit(box && picture ? [Math.min(box[0], picture[0]), Math.min(box[1], picture[1]), Math.max(box[2], picture[2]), Math.max(box[3], picture[3])] : box ?? picture);
  }

  // --- storeys

  setLayer(id: string): void {
    this.layer = this.plan.layer = id;
    this.tools.cancel();
    this.showStoreys();
    this.plan.redraw();
  }

  private showStoreys(): void {
    const layers = [...layersOf(this.doc)].sort((a, b) => heights(b)[1] - heights(a)[1]);
    element('storeys').replaceChildren(...layers.map(layer => {
      const button = make('button', {className: 'storey'}, make('span', {textContent: layer.id || 'ground'}), make('small', {textContent: isRamp(layer) ? `${heights(layer)[0]} to ${heights(layer)[1]} m` : `${heights(layer)[0]} m`}));
      button.setAttribute('aria-pressed', String(layer.id === this.layer));
      button.addEventListener('click', () => this.setLayer(layer.id));
      return button;
    }));
    element('change-storey').title = `Name and height of ${this.layer || 'this storey'}`;
    element('remove-storey').title = `Remove ${this.layer || 'this storey'}, with all that is on it`;
    element<HTMLButtonElement>('remove-storey').disabled = layers.length < 2;
  }

  private async addStorey(): Promise<void> {
    const named = withNamedLayers(this.doc), layers = layersOf(named), top = Math.max(...layers.map(l => heights(l)[1]));
    const answer = await this.ask('A storey', [{name: 'id', label: 'name', value: freshName('storey', layers.map(l => l.id))}, {name: 'z', label: 'height [m]', value: String(Math.round((top + 4) * 100) / 100), kind: 'number'}]);
    if (!answer) return;
    if (!answer.id || layers.some(l => l.id === answer.id)) return this.say('A storey needs a name of its own.');
    // Features without a layer belong to the first: their layer stays silent.
    this.change(withLayers(named, [...layers, {id: answer.id, elevation: Number(answer.z)}]), 'add a storey');
    this.setLayer(answer.id);
  }

  private async changeStorey(): Promise<void> {
    const layers = layersOf(this.doc), own = layers.find(l => l.id === this.layer)!, slopes = isRamp(own);
    const answer = await this.ask(slopes ? 'This stair' : 'This storey', [{name: 'id', label: 'name', value: own.id || 'ground'}, ...(slopes ? [] : [{name: 'z', label: 'height [m]', value: String(heights(own)[0]), kind: 'number' as const}])]);
    if (!answer) return;
    if (!answer.id || layers.some(l => l !== own && l.id === answer.id)) return this.say('A storey needs a name of its own.');
    let next = this.doc;
    if (!slopes && answer.z !== '' && Number(answer.z) !== heights(own)[0]) next = raiseStorey(next, own.id, Number(answer.z));
    if (answer.id !== (own.id || 'ground')) next = renameStorey(next, own.id, answer.id);
    if (next === this.doc) return;
    this.change(next, 'change a storey');
    if (layersOf(next).some(l => l.id === answer.id)) this.setLayer(answer.id);
  }

  private removeThisStorey(): void {
    const next = removeStorey(this.doc, this.layer);
    if (next === this.doc) return this.say('The last storey stays.');
    const name = this.layer;
    this.change(next, `remove ${name}`);
    this.fit();
    this.say(`${name} is gone, with all that was on it and the stairs that led there. Undo brings it back.`);
  }

  // --- panels

  private showTab(): void {
    for (const tab of document.querySelectorAll<HTMLButtonElement>('[data-tab]')) tab.setAttribute('aria-selected', String(tab.dataset.tab === this.tab));
    const panel = element('tab'), focused = document.activeElement instanceof HTMLElement && panel.contains(document.activeElement) ? this.pathOf(document.activeElement) : null;
    const content = this.tab === 'people' ? this.people.populationsPanel() : this.tab === 'profiles' ? this.people.profilesPanel() : this.tab === 'settings' ? this.people.settingsPanel()
      : this.tab === 'runs' ? this.runs.panel((address, title) => this.openWindow(address, title)) : selectedPanel(this);
    const top = panel.scrollTop;
    panel.replaceChildren(content);
    panel.scrollTop = top;
    if (focused) (panel.querySelectorAll<HTMLElement>('input, select, button')[focused.index] as HTMLElement | undefined)?.focus({preventScroll: true});
  }
  /** Forms are made anew with every change: who types goes on where they were. */
  private pathOf(node: HTMLElement): {index: number} | null {
    const index = [...element('tab').querySelectorAll<HTMLElement>('input, select, button')].indexOf(node);
    return index < 0 ? null : {index};
  }

  private showComplaints(): void {
    const {complaints, people, area, runs} = this.checker;
    this.plan.complaints = complaints;
    this.plan.redrawTop();
    const box = element('complaints');
    const list = complaints.slice(0, 200).map(c => {
      const button = make('button', {className: `complaint ${c.severity}`, textContent: this.sentence(c)});
      button.addEventListener('click', () => this.showComplaint(c));
      return button;
    });
    box.replaceChildren(make('h2', {textContent: complaints.length === 0 ? 'Nothing is wrong' : `${complaints.length} to look at`}), ...list);
    element('summary').textContent = `${area.toFixed(0)} m² to walk on · ${people} people at the start${runs ? '' : ' · cannot run yet'}`;
    element<HTMLButtonElement>('run-live').disabled = element<HTMLButtonElement>('run-job').disabled = !runs;
    document.documentElement.dataset.checked = String(this.checker.checked);
  }

  /** What `throng check` says, its place in words. */
  private sentence(c: Complaint): string { return sentenceOf(c, this.doc); }

  private showComplaint(c: Complaint): void {
    const keys = keysOf(c, this.doc), at = placeOf(c, this.doc), feature = keys.length === 0 ? null : featureOf(this.doc, keys[0]);
    if (feature && feature.properties.kind !== 'connection') this.setLayer(layerOf(this.doc, feature));
    const box = feature ? featureBox(feature) : null;
    if (at) this.show(at);
    else if (box) this.show([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]);
    if (keys.length > 0) this.select(keys);
  }

  // --- selection

  addPeopleIn(area: string): void {
    this.tab = 'people';
    this.people.add(area);
  }
  measureDensity(area: string): void { this.people.measure(area); }

  private get chosen(): Feature[] { return this.doc.features.filter((_, i) => this.plan.selected.has(this.doc.keys[i])); }
  remove(): void {
    const line = this.plan.measure;
    if (line !== null && measureAt(this.doc, line)) {
      this.plan.measure = null;
      return this.change(changeMeasure(this.doc, line, () => null), 'delete a count line');
    }
    if (this.plan.selected.size > 0) this.change(withoutEmptyStairs(removeFeatures(this.doc, this.plan.selected), this.doc), 'delete');
  }
  copy(): void { this.clipboard = this.chosen; }
  paste(): void {
    const names = areaNames(this.doc), layer = layersOf(this.doc).length > 1 ? {layer: this.layer} : {};
    const features = this.clipboard.filter(f => f.properties.kind !== 'connection').map((f): Feature => {
      const moved = mapPoints(f, p => [Math.round((p[0] + 1) * 1e6) / 1e6, Math.round((p[1] + 1) * 1e6) / 1e6]);
      const name = f.properties.kind === 'area' && f.properties.name ? {name: freshName(String(f.properties.name).replace(/ \d+$/, ''), names)} : {};
      if ('name' in name) names.push(name.name as string);
      return {...moved, properties: {...f.properties, ...layer, ...name}};
    });
    if (features.length === 0) return;
    const {doc, keys} = addFeatures(this.doc, features);
    this.change(doc, 'paste');
    this.select(keys);
  }
  duplicate(): void {
    this.copy();
    this.paste();
  }
  turn(degrees: number): void {
    const box = boxOf(this.chosen);
    if (!box) return;
    const [cx, cy] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2], a = (degrees * Math.PI) / 180, round = (v: number): number => Math.round(v * 1e6) / 1e6;
    const [c, s] = degrees % 90 === 0 ? [Math.round(Math.cos(a)), Math.round(Math.sin(a))] : [Math.cos(a), Math.sin(a)];
    this.change(changeFeatures(this.doc, this.plan.selected, f => mapPoints(f, ([x, y]) => [round(cx + c * (x - cx) - s * (y - cy)), round(cy + s * (x - cx) + c * (y - cy))])), 'turn');
  }
  nudge(dx: number, dy: number): void {
    const round = (v: number): number => Math.round(v * 1e6) / 1e6, line = this.plan.measure;
    if (line !== null) return this.change(moveMeasure(this.doc, line, [dx, dy]), 'move a count line', 'nudge');
    this.change(changeFeatures(this.doc, this.plan.selected, f => mapPoints(f, ([x, y]) => [round(x + dx), round(y + dy)])), 'move', 'nudge');
  }

  // --- files

  private async takePicture(address: string, known: Look['picture']): Promise<void> {
    const image = new Image();
    image.src = address;
    try {
      await image.decode();
    } catch {
      return this.say('This picture cannot be shown.');
    }
    this.plan.background = {image, ...(known ?? {scale: 30 / image.naturalWidth, at: [0, 0], opacity: 0.5, layer: this.layer})};
    element('background-section').hidden = false;
    element<HTMLInputElement>('opacity').value = String(this.plan.background.opacity);
    if (known) return this.plan.redraw();
    this.fit();
    this.setTool('scale');
    this.say('Click two points of the picture whose distance you know.');
  }

  scaled(from: Point, to: Point): void {
    void this.ask('How far is that?', [{name: 'metres', label: 'metres', value: '', kind: 'number'}]).then(answer => {
      const metres = Number(answer?.metres), drawn = Math.hypot(to[0] - from[0], to[1] - from[1]), b = this.plan.background;
      if (!answer || !b || !(metres > 0) || !(drawn > 0)) return this.say('The picture keeps its scale.');
      b.scale *= metres / drawn;
      this.fit();
      this.setTool('walkable');
      this.say('Now trace it: floors, walls, doors.');
    });
  }

  /** One file, or a scenario with the plan that it names. */
  private async openFiles(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const isScenario = async (f: File): Promise<boolean> => /\.json$/i.test(f.name) && !/"FeatureCollection"/.test(await f.slice(0, 300).text());
    const scenarios = files.length > 1 ? (await Promise.all(files.map(isScenario))).indexOf(true) : 0;
    if (scenarios < 0) return this.say('Several files are opened together where one of them is a scenario that names the others.');
    const file = files[scenarios], others = files.filter(f => f !== file);
    if (this.dirty && this.history.undoable !== null && !(await this.confirm(`Open ${file.name}? What is drawn now is closed.`))) return;
    let at = file.size;
    const query = new URLSearchParams({name: file.name});
    for (const other of others) query.set(`beside:${other.name}`, `${at}-${other.size}`), at += other.size;
    const response = await fetch(`${base}api/open?${query.toString()}`, {method: 'POST', body: new Blob([file, ...others])});
    const answer = await response.json();
    if (!response.ok) return this.say(answer.error ?? 'This cannot be opened.');
    this.checker.version = Math.max(this.checker.version, answer.version);
    await this.take(answer);
  }

  private async chooseLayers(layers: {name: string; role: string; shapes: number; hidden: boolean}[]): Promise<void> {
    const query = await openPlanDialog(element<HTMLDialogElement>('dialog'), layers);
    if (query === null) return;
    const response = await fetch(`${base}api/again?${query}`, {method: 'POST', body: ''});
    const answer = await response.json();
    if (!response.ok) return this.say(answer.error ?? 'This cannot be read so.');
    await this.take({...answer, version: 1});
  }

  async save(): Promise<void> {
    const answer = await this.ask('Save', [{name: 'name', label: 'name', value: this.name}]);
    if (!answer || !answer.name) return;
    this.name = answer.name;
    element('name').textContent = this.name;
    if (!this.canSave) return this.download();
    const text = textOf(this.doc), put = (replace: boolean): Promise<Record<string, unknown>> => this.runs.post(`save?name=${encodeURIComponent(this.name)}${replace ? '&replace=1' : ''}`, text);
    try {
      let written: Record<string, unknown>;
      try {
        written = await put(false);
      } catch (error) {
        if ((error as {status?: number}).status !== 409) throw error;
        if (!(await this.confirm(`${(error as Error).message}. Replace it?`))) return;
        written = await put(true);
      }
      this.dirty = false;
      element('saved').textContent = `saved: ${(written.written as string[]).join(', ')}`;
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  /** Both files, as the server would write them. */
  private download(): void {
    const {environment, ...rest} = JSON.parse(textOf(this.doc));
    for (const [name, value] of [[`${this.name}.geojson`, environment], [`${this.name}.json`, {...rest, environment: `${this.name}.geojson`}]] as const) {
      const link = make('a', {href: URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], {type: 'application/json'})), download: name});
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 2000);
    }
    this.dirty = false;
    element('saved').textContent = `downloaded: ${this.name}.json, ${this.name}.geojson`;
  }

  // --- runs

  async runLive(): Promise<void> {
    try {
      this.openWindow(await this.runs.live(textOf(this.doc)), `${this.name}, live`);
    } catch (error) {
      this.say((error as Error).message);
    }
  }
  async runJob(): Promise<void> {
    try {
      await this.runs.start(textOf(this.doc), Math.max(1, Math.floor(Number(element<HTMLInputElement>('seeds').value) || 1)), this.name);
      this.tab = 'runs';
      this.showTab();
    } catch (error) {
      this.say((error as Error).message);
    }
  }
  private jobDone(job: Job): void {
    if (job.state === 'done' && this.tab === 'runs' && document.documentElement.dataset.ready === 'true') this.openWindow(`${this.runs.address(job)}report.html`, `Report of run ${job.id}`);
    if (job.state === 'failed') this.say(job.what);
  }

  openWindow(address: string, title: string): void {
    element('window').hidden = false;
    element('window-title').textContent = title;
    element<HTMLIFrameElement>('frame').src = address;
    element<HTMLAnchorElement>('window-new').href = address;
    element('window-close').focus();
  }
  private closeWindow(): void {
    element('window').hidden = true;
    element<HTMLIFrameElement>('frame').src = 'about:blank';
    element('over').focus();
  }

  // --- asking

  ask(title: string, fields: Field[]): Promise<Record<string, string> | null> { return ask(element<HTMLDialogElement>('dialog'), title, fields); }
  private async confirm(question: string): Promise<boolean> { return (await this.ask(question, [])) !== null; }

  // --- controls

  private setTheme(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    element('theme').setAttribute('aria-pressed', String(dark));
    this.plan.dark = dark;
    if (this.plan.doc) this.plan.redraw();
  }

  private controls(): void {
    const on = (id: string, event: string, act: (target: HTMLInputElement) => void): void => element(id).addEventListener(event, e => act(e.currentTarget as HTMLInputElement));
    on('open', 'click', () => element('file').click());
    on('file', 'change', input => void this.openFiles([...(input.files ?? [])]).then(() => { input.value = ''; }));
    on('save', 'click', () => void this.save());
    on('undo', 'click', () => this.history.undo());
    on('redo', 'click', () => this.history.redo());
    on('run-live', 'click', () => void this.runLive());
    on('run-job', 'click', () => void this.runJob());
    on('preview-button', 'click', () => this.openWindow(`${base}preview/`, 'The plan in 3D'));
    on('theme', 'click', () => this.setTheme(!this.plan.dark));
    on('help-button', 'click', () => this.toggleHelp());
    on('add-storey', 'click', () => void this.addStorey());
    on('change-storey', 'click', () => void this.changeStorey());
    on('remove-storey', 'click', () => this.removeThisStorey());
    on('window-close', 'click', () => this.closeWindow());
    on('shape', 'change', select => { this.shape = select.value as 'rectangle' | 'polygon'; this.tools.cancel(); });
    on('grid', 'change', select => { this.grid = this.plan.grid = Number(select.value); this.plan.redraw(); });
    on('opacity', 'input', range => { if (this.plan.background) this.plan.background.opacity = Number(range.value); this.plan.redraw(); });
    on('rescale', 'click', () => this.setTool('scale'));
    for (const button of document.querySelectorAll<HTMLButtonElement>('.tools [data-tool]')) button.addEventListener('click', () => this.setTool(button.dataset.tool as ToolName));
    for (const tab of document.querySelectorAll<HTMLButtonElement>('[data-tab]')) tab.addEventListener('click', () => { this.tab = tab.dataset.tab!; this.showTab(); });
    element('kinds').append(...Object.entries(kindNames).map(([kind, text]) => {
      const box = make('input', {type: 'checkbox', checked: true});
      box.addEventListener('change', () => { if (box.checked) this.plan.hidden.delete(kind); else this.plan.hidden.add(kind); this.plan.redraw(); });
      return make('label', {className: 'check'}, box, ` ${text}`);
    }));
    element('help').append(make('h2', {textContent: 'Keys'}), make('dl', {}, ...shortcuts.flatMap(([k, what]) => [make('dt', {textContent: k}), make('dd', {textContent: what})])));
    const stage = element('stage');
    stage.addEventListener('dragover', e => e.preventDefault());
    stage.addEventListener('drop', e => { e.preventDefault(); void this.openFiles([...(e.dataTransfer?.files ?? [])]); });
    addEventListener('beforeunload', () => this.checker.send(this.doc));
  }

  private toggleHelp(): void {
    const help = element('help');
    help.hidden = !help.hidden;
    element('help-button').setAttribute('aria-expanded', String(!help.hidden));
  }

  private pointer(): void {
    const over = element<HTMLCanvasElement>('over'), touches = new Map<number, Point>();
    let pinch = 0;
    // A finger draws when it is lifted: until then it may be the first of two, or move the plan.
    let tap: Point | null = null;
    over.addEventListener('pointerdown', e => {
      over.setPointerCapture(e.pointerId);
      over.focus();
      touches.set(e.pointerId, [e.offsetX, e.offsetY]);
      if (touches.size === 2) return void (pinch = this.spread(touches), tap = null, this.panning = null, this.tools.letGo());
      if (e.pointerType === 'touch' && this.tools.tool !== 'select') return void (tap = [e.offsetX, e.offsetY]);
      if (e.button === 1 || e.button === 2 || this.spaceDown) this.panning = {x: e.offsetX, y: e.offsetY}, this.spacePanned = this.spaceDown;
      else this.tools.down(this.plan.toWorld([e.offsetX, e.offsetY]), e);
    });
    over.addEventListener('pointermove', e => {
      const at: Point = [e.offsetX, e.offsetY], world = this.plan.toWorld(at);
      if (touches.size === 2 && touches.has(e.pointerId)) {
        const before = touches.get(e.pointerId)!;
        touches.set(e.pointerId, at);
        this.plan.pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
        const now = this.spread(touches);
        if (pinch > 0) this.plan.zoom(now / pinch, at);
        pinch = now;
        return;
      }
      if (tap && Math.hypot(at[0] - tap[0], at[1] - tap[1]) > 12) this.panning = {x: at[0], y: at[1]}, tap = null;
      if (this.panning) {
        this.plan.pan(at[0] - this.panning.x, at[1] - this.panning.y);
        this.panning = {x: at[0], y: at[1]};
      } else this.tools.move(world, e);
      const shown = this.tools.tool === 'select' ? world : this.tools.pointer?.point ?? world;
      this.showCoordinates(shown);
      this.hover(at, world);
    });
    const up = (e: PointerEvent): void => {
      touches.delete(e.pointerId);
      if (tap && e.type === 'pointerup') {
        const place = this.plan.toWorld([e.offsetX, e.offsetY]);
        this.tools.move(place, e);
        this.tools.down(place, e);
      }
      tap = null;
      if (this.panning) this.panning = null;
      else this.tools.up(this.plan.toWorld([e.offsetX, e.offsetY]));
    };
    over.addEventListener('pointerup', up);
    over.addEventListener('pointercancel', up);
    over.addEventListener('dblclick', e => this.tools.doubleClick(this.plan.toWorld([e.offsetX, e.offsetY])));
    over.addEventListener('contextmenu', e => e.preventDefault());
    over.addEventListener('wheel', e => { e.preventDefault(); this.plan.zoom(Math.exp(-e.deltaY * 0.0015), [e.offsetX, e.offsetY]); }, {passive: false});
  }
  private showCoordinates([x, y]: Point): void { element('coordinates').textContent = `x ${x.toFixed(2)} m, y ${y.toFixed(2)} m · ${this.layer || 'ground'}`; }
  private spread(touches: Map<number, Point>): number {
    const [a, b] = [...touches.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  /** The complaint under the pointer, in full. */
  private hover(at: Point, world: Point): void {
    const box = element('hover'), reach = 12 / this.plan.scale;
    const found = this.plan.complaints.find(c => marksOf(c, this.doc).some(p => Math.hypot(p[0] - world[0], p[1] - world[1]) < reach));
    box.hidden = !found;
    if (!found) return;
    box.textContent = this.sentence(found);
    box.style.left = `${Math.min(at[0] + 14, this.plan.width - 300)}px`;
    box.style.top = `${at[1] + 14}px`;
  }

  private keyboard(): void {
    addEventListener('keydown', e => {
      const target = e.target as HTMLElement, typing = target.matches('input, select, textarea') && !(target as HTMLInputElement).matches('[type=checkbox]');
      if (element<HTMLDialogElement>('dialog').open) return;
      if (e.key === 'Escape' && !element('window').hidden) return this.closeWindow();
      if (!element('window').hidden) return;
      if (e.ctrlKey || e.metaKey) {
        const act: Record<string, () => void> = {z: () => (e.shiftKey ? this.history.redo() : this.history.undo()), y: () => this.history.redo(), s: () => void this.save(), o: () => element('file').click(), enter: () => void this.runLive(),
          c: () => this.copy(), x: () => { this.copy(); this.remove(); }, v: () => this.paste(), d: () => this.duplicate(), a: () => this.select(this.doc.keys.filter((_, i) => this.plan.drawnWith(this.layer).has(layerOf(this.doc, this.doc.features[i]))))};
        const found = act[e.key.toLowerCase()];
        if (!found || (typing && !['s', 'o', 'enter'].includes(e.key.toLowerCase()))) return;
        e.preventDefault();
        return found();
      }
      if (typing) return;
      if (e.key === 'Escape' && !element('help').hidden) return this.toggleHelp();
      if (e.key === ' ' && target.id === 'over' && !this.tools.typed) {
        if (!e.repeat) this.spaceDown = true, this.spacePanned = false;
        return e.preventDefault();
      }
      if ((e.key === 'Enter' || e.key === ' ') && target.matches('button, summary, a, tr, input')) return;
      if (this.tools.key(e)) return e.preventDefault();
      this.act(e, target);
    });
    addEventListener('keyup', e => {
      if (e.key !== ' ') return;
      // Without a drag, space is the click of those who have no pointer.
      if (this.spaceDown && !this.spacePanned) this.tools.clickHere();
      this.spaceDown = false;
    });
  }

  private act(e: KeyboardEvent, target: HTMLElement): void {
    const key = e.key.toLowerCase(), step = (e.shiftKey ? 10 : 1) * (this.grid || 0.1), arrows: Record<string, Point> = {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, 1], arrowdown: [0, -1]};
    if (key in arrows) {
      const [dx, dy] = arrows[key];
      if (this.tools.tool !== 'select') {
        element('over').focus();
        this.showCoordinates(this.tools.moveBy([dx * step, dy * step]));
      } else if (this.plan.selected.size > 0 || this.plan.measure !== null) this.nudge(dx * step, dy * step);
      else this.plan.pan(-dx * 40, dy * 40);
    } else if (key === 'delete' || key === 'backspace') this.remove();
    else if (key === '[' || key === ']') this.turn(key === '[' ? 15 : -15);
    else if (key === '+' || key === '-') this.plan.zoom(key === '+' ? 1.25 : 0.8, [this.plan.width / 2, this.plan.height / 2]);
    else if (key === '0') this.fit();
    else if (key === 'pageup' || key === 'pagedown') {
      const layers = [...layersOf(this.doc)].sort((a, b) => heights(a)[1] - heights(b)[1]), at = layers.findIndex(l => l.id === this.layer);
      this.setLayer(layers[Math.min(layers.length - 1, Math.max(0, at + (key === 'pageup' ? 1 : -1)))].id);
    } else if (key === 'tab' && target.id === 'over') {
      const {plan} = this, shown = plan.drawnWith(this.layer), lines = plan.linesShown;
      const keys = this.doc.keys.filter((_, i) => shown.has(layerOf(this.doc, this.doc.features[i]))), count = keys.length + lines.length;
      const at = plan.measure === null ? keys.findIndex(k => plan.selected.has(k)) : keys.length + lines.indexOf(plan.measure), to = at + (e.shiftKey ? -1 : 1);
      if (to < 0 || to >= count) return void this.select([]);
      if (to < keys.length) this.select([keys[to]]);
      else this.select([], lines[to - keys.length]);
    } else if (key === 'v') this.openWindow(`${base}preview/`, 'The plan in 3D');
    else if (key === 't') this.setTheme(!this.plan.dark);
    else if (key === '?') this.toggleHelp();
    else if (key in toolKeys) this.setTool(toolKeys[key]);
    else return;
    e.preventDefault();
  }
}

const editor = new Editor();
(window as unknown as {editor: Editor}).editor = editor;
editor.start().catch(error => editor.say(`This cannot be edited: ${error.message ?? error}`));
