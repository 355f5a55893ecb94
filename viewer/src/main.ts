// The page: fetches what is shown, draws it, and follows the state (state.ts) that controls change (controls.ts).
import './style.css';
import * as THREE from 'three';
import {getJson, getPack, Session, Socket} from './api';
import {Card, cardsOf} from './cards';
import {differencesAt, marksOf} from './changes';
import {Cameras, PresetName, ViewName} from './cameras';
import {themes} from './colours';
import {clearanceLegend, ColourMode, Colouring, figureOf, heatLegend} from './colouring';
import {Controls} from './controls';
import {Crowd} from './crowd';
import {film, filmWanted} from './film';
import {Agents, Frames, LiveHistory, RecordedFrames} from './frames';
import {Marks} from './marks';
import {LayerName, Overlays} from './overlays';
import {unpack} from './pack';
import {PeopleView} from './people';
import {PersonPanel} from './person';
import {Clip} from './picture';
import {Plots} from './plots';
import {LiveTools} from './live';
import {fromAddress, Store, toAddress, usual, ViewState} from './state';
import {Building, readWorld, storeysOf} from './world';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

/** Walls as high as a room where one walks between them. */
const roomHeight = 3;

/** Whether there is no graphics card: large crowds then do without smooth edges. */
function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class Viewer {
  session!: Session;
  readonly store = new Store({...usual});
  time = 0;
  playing = false;
  speed = 1;
  following = false;
  connected = true;
  reviewing = false;
  readonly socket = new Socket();
  readonly agents = new Agents();
  readonly crowd = new Crowd();
  readonly colouring = new Colouring(this.agents);
  frames: Frames | null = null;
  building!: Building;
  cameras!: Cameras;
  overlays!: Overlays;
  marks!: Marks;
  plots: Plots | null = null;
  tools: LiveTools | null = null;
  cards: Card[] = [];
  readonly clip = new Clip(this);
  /** What a live run says of itself. */
  status = {people: 0, arrived: 0, paused: false, finished: false, step: 0, rate: 0};
  readonly canvas = element<HTMLCanvasElement>('scene');
  readonly panel = new PersonPanel(this);
  fps = 0;
  private controls!: Controls;
  private renderer!: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly people = new PeopleView();
  private readonly size = new THREE.Vector2(1, 1);
  private dirty = true;
  private lastDraw = 0;
  private lastSlow = 0;
  private slowMs = 0;
  private lastFrameShown: unknown = null;
  private arrival = {wall: 0, time: 0, shown: 0, gap: 0.1};
  private storeyChosen = false;
  private addressDue = 0;

  get selected(): number { return this.store.state.person; }

  async start(): Promise<void> {
    this.session = await getJson<Session>('api/session');
    const world = readWorld(await getPack('api/world'));
    this.renderer = new THREE.WebGLRenderer({canvas: this.canvas, antialias: !(drawsInSoftware() && (this.session.people ?? 0) > 20000)});
    this.building = new Building(world, themes.light);
    this.cameras = new Cameras(this.canvas, this.building);
    this.overlays = new Overlays(this.building);
    this.marks = new Marks(this.building);
    this.marks.onChange = this.overlays.onChange = () => this.redraw();
    this.cameras.onChange = () => { this.redraw(); this.rememberCamera(); };
    this.overlays.onError = what => this.notice(what, 6000);
    this.overlays.onMesh = () => this.showLegend();
    this.cameras.onTaken = () => this.controls.cameraTaken();
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    sun.position.set(0.4, -0.6, 1);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb8b0a8, 1.8), sun, this.building.group, this.overlays.group, this.marks.group, this.people.group);
    this.controls = new Controls(this);
    this.store.follow((state, changed) => this.apply(state, changed));
    await this.beginMode();
    this.cards = cardsOf(this);
    element(this.session.mode === 'environment' ? 'settings' : 'cards').append(...this.cards.map(card => card.element));
    const first = this.firstState(), asked = fromAddress(location.hash, first);
    this.storeyChosen = /storey=/.test(location.hash);
    this.controls.begin();
    this.applyTheme(this.store.state.theme);
    this.store.set({...asked, camera: [], time: null, person: 0});
    new ResizeObserver(() => this.resize()).observe(element('stage'));
    this.resize();
    this.preset('overview');
    if (asked.camera.length > 0) this.cameras.state = [...asked.camera];
    if (asked.time !== null) this.seek(asked.time);
    this.socket.onState = connected => this.connection(connected);
    this.socket.onJson = message => void this.heard(message);
    this.socket.onBinary = bytes => this.liveFrame(bytes);
    this.socket.open();
    if (asked.person > 0) void this.select(asked.person);
    requestAnimationFrame(now => this.tick(now));
    document.documentElement.dataset.ready = 'true';
  }

  /** What is shown where the address says nothing. */
  private firstState(): ViewState {
    const environment = this.session.mode === 'environment';
    return {...usual, theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light', layers: environment ? ['terrain', 'areas', 'axis', 'passages'] : ['terrain']};
  }

  private async beginMode(): Promise<void> {
    const {mode, name} = this.session;
    document.title = `${name} · Throng`;
    element('name').textContent = name;
    element('mode').textContent = {recording: 'recording', live: 'live', environment: 'environment'}[mode];
    document.body.dataset.mode = mode;
    element('edit-link').hidden = !this.session.can_edit;
    if (mode === 'environment') {
      for (const id of ['timeline', 'details']) element(id).hidden = true;
      element('details-button').hidden = true;
      document.body.classList.add('no-details');
      return;
    }
    this.plots = new Plots(element('plots'), this.session.lines ?? [], this.session.areas ?? []);
    this.plots.onSeek = time => this.seek(time);
    if (mode === 'recording') {
      this.agents.take(await getPack('api/agents'));
      const frames = new RecordedFrames(this.session.frames!, this.session.frame_time!, this.session.people ?? 0);
      frames.onLoad = () => this.redraw();
      frames.onError = what => this.notice(`Frames did not come: ${what}`, 5000);
      this.frames = frames;
      this.playing = true;
      element('routes-label').textContent = 'Ways that were walked';
    } else {
      this.frames = new LiveHistory(this.session.recorded_frame_time ?? 0, 2000, () => this.redraw());
      this.playing = !this.session.paused && !this.session.finished;
      this.status.paused = this.session.paused ?? false;
      this.status.finished = this.session.finished ?? false;
      element('live').hidden = false;
      element('routes-label').textContent = 'Routes ahead';
      this.tools = new LiveTools(this);
      this.showSpeed(this.session.speed ?? 1);
    }
    for (const option of document.querySelectorAll<HTMLOptionElement>('[data-live]')) option.hidden = option.disabled = mode !== 'live';
    this.marks.keep('measured', this.session.measured ?? []);
    void this.pollPlots();
  }

  // --- time

  /** Where the run ends: a live one knows how long it may take. */
  get end(): number {
    return this.session.mode === 'live' ? (this.status.finished ? this.frames?.end ?? 0.1 : Math.max(this.session.duration ?? 0, this.frames?.end ?? 0.1)) : (this.frames?.end ?? 1);
  }

  seek(time: number): void {
    if (!this.frames) return;
    this.time = Math.min(this.frames.end, Math.max(this.frames.start, time));
    if (this.session.mode === 'live') this.reviewing = this.time < this.frames.end - 1e-6;
    this.redraw();
    this.rememberSoon();
  }
  backToNow(): void {
    this.reviewing = false;
    this.redraw();
  }

  setPlaying(playing: boolean): void {
    if (this.session.mode === 'live') {
      if (playing && this.status.finished) return this.notice('The run is over. Scrub back to look at it again, or edit it and run it anew.', 5000);
      this.socket.send({do: playing ? 'play' : 'pause'});
      if (playing) this.reviewing = false;
    } else if (playing && this.frames && this.time >= this.frames.end) {
      this.time = 0;
    }
    this.playing = playing;
    this.redraw();
    this.rememberSoon();
  }

  step(by: number): void {
    if (!this.frames) return;
    if (this.session.mode === 'live' && by > 0 && !this.reviewing) {
      this.playing = false;
      if (this.status.finished) return this.notice('The run is over.', 3000);
      this.socket.send({do: 'step'});
      return;
    }
    // Back in a live run is a look at its past; the run itself waits.
    if (this.session.mode === 'live' && this.playing) this.setPlaying(false);
    this.playing = false;
    this.seek((Math.round(this.time / this.frames.frameTime) + by) * this.frames.frameTime);
  }

  setSpeed(speed: number): void {
    this.showSpeed(speed);
    if (this.session.mode === 'live') this.socket.send({do: 'speed', value: speed});
  }
  showSpeed(speed: number): void {
    this.speed = speed;
    const select = element<HTMLSelectElement>('speed');
    if (!Array.from(select.options).some(o => o.value === String(speed))) select.append(new Option(`${speed} ×`, String(speed)));
    select.value = String(speed);
  }

  private advance(seconds: number): void {
    if (!this.frames) return;
    if (this.session.mode === 'live') {
      if (this.reviewing) return;
      // From what was shown when the last frame came to that frame, in the time the next is expected to take.
      const part = Math.min(1, (performance.now() - this.arrival.wall) / 1000 / this.arrival.gap);
      this.time = this.arrival.shown + (this.arrival.time - this.arrival.shown) * part;
      return;
    }
    if (!this.playing || !this.frames.at(this.time)) return;
    this.time = Math.min(this.frames.end, this.time + seconds * this.speed);
    if (this.time >= this.frames.end) this.setPlaying(false);
  }

  // --- drawing

  redraw(): void { this.dirty = true; }

  private tick(now: number): void {
    requestAnimationFrame(later => this.tick(later));
    const seconds = Math.min(0.25, (now - this.lastDraw) / 1000);
    this.lastDraw = now;
    this.fps = 0.95 * this.fps + 0.05 / Math.max(0.001, seconds);
    const moved = this.cameras.update(seconds);
    const before = this.time;
    this.advance(seconds);
    const passed = this.time !== before;  // the last bit of the way to a new frame, too
    this.remember(now);
    const running = this.frames !== null && (this.playing || (this.session.mode === 'live' && !this.reviewing && this.time < this.frames.end)) || this.clip.running;
    if (!this.dirty && !moved && !running && !passed) return;
    this.dirty = false;
    this.draw(now);
  }

  draw(now: number): void {
    const moment = this.frames?.at(this.time) ?? null;
    if (moment) {
      this.crowd.set(moment, this.building, this.agents);
      if (!this.storeyChosen) this.chooseStorey();
      this.colouring.update(this.crowd, this.frames!, this.selected);
      if (now - this.lastSlow > 200 || moment.a !== this.lastFrameShown) this.drawSlow(now, moment.a);
    }
    const chosen = this.selected ? this.crowd.indexOf(this.selected) : -1;
    this.overlays.mark(chosen < 0 || this.crowd.shown[chosen] === 0 ? null : [this.crowd.x[chosen], this.crowd.y[chosen], this.crowd.z[chosen]]);
    if (this.following && this.selected) this.followSelected();
    if (this.frames) this.people.draw(this.crowd, this.agents, this.colouring.colours, this.cameras.camera, this.size);
    this.overlays.fitLabels(this.cameras.camera);
    this.marks.fitLabels(this.cameras.camera);
    this.renderer.render(this.scene, this.cameras.camera);
    if (this.clip.running) this.clip.frame();
    if (this.colouring.stale) this.redraw();
    this.controls.showTime();
  }

  /** What need not be as smooth as walking. */
  private drawSlow(now: number, frame: unknown): void {
    // Where that takes long, for very many people, it comes less often: most of the time is for walking.
    if (now - this.lastSlow < Math.max(100, 4 * this.slowMs)) return;
    this.lastSlow = now;
    this.lastFrameShown = frame;
    const start = performance.now();
    this.overlays.drawHeat(this.crowd);
    this.overlays.drawTrails(this.crowd, this.frames!, this.colouring.colours);
    this.slowMs = performance.now() - start;
    this.panel.refresh();
    this.overlays.refreshRoutes(now);
    this.showChanges();
    if (!this.reviewing) this.tools?.watch(), this.marks.refresh(now);
  }

  private changesShown = '';
  /** How the world of the time that is shown differs from the one that is drawn. */
  private showChanges(): void {
    const {events, origin, mode} = this.session;
    if (!events?.length) return;
    const differences = differencesAt(events, this.time + 1e-6), key = JSON.stringify(differences);
    if (key === this.changesShown) return;
    this.changesShown = key;
    if (mode === 'recording') this.overlays.showDropped(differences.dropped, origin);
    this.marks.keep('changes', marksOf(differences, origin, mode === 'live'));
  }

  /** A plan mixes storeys unless one is chosen: the one with most people, or the lowest. */
  private chooseStorey(): void {
    const storeys = storeysOf(this.building.world);
    if (storeys.length < 2 || this.store.state.view !== 'plan' || this.store.state.storey !== null) return;
    this.storeyChosen = true;
    const people = storeys.map(() => 0);
    for (let i = 0; i < this.crowd.n; ++i) {
      const at = storeys.findIndex(s => Math.abs(s.z - this.building.world.layers[this.crowd.layer[i]].low) < 0.01);
      if (at >= 0) ++people[at];
    }
    this.store.set({storey: storeys[people.indexOf(Math.max(...people))].z});
    this.preset('overview');
  }

  storeyName(): string {
    const {storey} = this.store.state;
    return storey === null ? '' : storeysOf(this.building.world).find(s => Math.abs(s.z - storey) < 0.01)?.name ?? '';
  }

  private resize(): void {
    const stage = element('stage');
    const width = Math.max(1, stage.clientWidth), height = Math.max(1, stage.clientHeight);
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.renderer.getDrawingBufferSize(this.size);
    this.cameras.resize(width, height);
    this.redraw();
  }
  get pixelRatio(): number { return this.renderer.getPixelRatio(); }
  get canvasHeight(): number { return this.canvas.clientHeight; }

  /** Draws once at a multiple of the window's size, for paper. */
  atScale(factor: number, take: (canvas: HTMLCanvasElement) => void): void {
    const before = this.renderer.getPixelRatio(), most = this.renderer.capabilities.maxTextureSize / Math.max(this.canvas.clientWidth, this.canvas.clientHeight);
    this.renderer.setPixelRatio(Math.min(factor, most, 4));
    this.renderer.getDrawingBufferSize(this.size);
    this.draw(performance.now());
    take(this.canvas);
    this.renderer.setPixelRatio(before);
    this.renderer.getDrawingBufferSize(this.size);
    this.redraw();
  }

  // --- people

  /** Where somebody is on the canvas, in CSS pixels. */
  project(i: number): {x: number; y: number; behind: boolean} {
    const plan = this.cameras.view === 'plan';
    const p = new THREE.Vector3(this.crowd.x[i], this.crowd.y[i], this.crowd.z[i] + (plan ? 0.05 : 0.9)).project(this.cameras.camera);
    const box = this.canvas.getBoundingClientRect();
    return {x: ((p.x + 1) / 2) * box.width, y: ((1 - p.y) / 2) * box.height, behind: p.z > 1 || p.z < -1};
  }

  personAt(x: number, y: number): number {
    const camera = this.cameras.camera, box = this.canvas.getBoundingClientRect(), lift = this.cameras.view === 'plan' ? 0.05 : 0.9;
    camera.updateMatrixWorld();
    const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const {crowd} = this;
    let best = 0, nearest = 14 * 14;
    for (let i = 0; i < crowd.n; ++i) {
      if (crowd.shown[i] === 0) continue;
      const px = crowd.x[i], py = crowd.y[i], pz = crowd.z[i] + lift;
      const w = m[3] * px + m[7] * py + m[11] * pz + m[15];
      if (w <= 0) continue;  // behind the camera
      const dx = ((m[0] * px + m[4] * py + m[8] * pz + m[12]) / w + 1) * 0.5 * box.width - x;
      const dy = (1 - (m[1] * px + m[5] * py + m[9] * pz + m[13]) / w) * 0.5 * box.height - y;
      const apart = dx * dx + dy * dy;
      if (apart < nearest && !this.isHidden(i, x, y)) nearest = apart, best = crowd.serial[i];
    }
    return best;
  }
  /** Whether a floor lies between the eye and somebody: nobody is chosen through it. */
  private isHidden(i: number, x: number, y: number): boolean {
    if (this.cameras.view === 'plan') return false;
    const ray = this.rayAt(x, y), {crowd} = this;
    return this.building.hides(ray, Math.hypot(crowd.x[i] - ray.origin.x, crowd.y[i] - ray.origin.y, crowd.z[i] + 0.9 - ray.origin.z));
  }

  select(serial: number): Promise<void> {
    this.store.set({person: serial});
    element<HTMLButtonElement>('follow').disabled = serial === 0;
    if (serial === 0) this.setFollowing(false);
    this.redraw();
    return this.panel.choose(serial);
  }

  /** The next or previous of those who are shown: for keys. */
  selectNext(by: number): void {
    const {crowd} = this, at = this.selected ? crowd.indexOf(this.selected) : -1;
    for (let k = 1; k <= crowd.n; ++k) {
      const i = (((at < 0 && by < 0 ? crowd.n : at) + by * k) % crowd.n + crowd.n) % crowd.n;
      if (crowd.shown[i]) return void this.select(crowd.serial[i]);
    }
  }

  setFollowing(following: boolean): void {
    this.following = following && this.selected !== 0;
    element('follow').setAttribute('aria-pressed', String(this.following));
    const i = this.following ? this.crowd.indexOf(this.selected) : -1;
    if (i >= 0) this.cameras.lookAt(this.crowd.x[i], this.crowd.y[i], this.crowd.z[i], 14);
    this.redraw();
  }

  private followSelected(): void {
    const i = this.crowd.indexOf(this.selected);
    if (i < 0) return;
    // Onto another storey with them.
    const layer = this.building.world.layers[this.crowd.layer[i]], {storey} = this.store.state;
    if (storey !== null && layer && !layer.elevation.from && Math.abs(layer.low - storey) > 0.01) this.store.set({storey: layer.low});
    this.cameras.follow(this.crowd.x[i], this.crowd.y[i], this.crowd.z[i]);
  }

  placeAt(x: number, y: number): {x: number; y: number; layer: number} | null {
    return this.building.hit(this.rayAt(x, y));
  }
  rayAt(x: number, y: number): THREE.Ray {
    const box = this.canvas.getBoundingClientRect();
    const caster = new THREE.Raycaster();
    this.cameras.camera.updateMatrixWorld();
    caster.setFromCamera(new THREE.Vector2((2 * x) / box.width - 1, 1 - (2 * y) / box.height), this.cameras.camera);
    return caster.ray;
  }

  // --- the server

  private connection(connected: boolean): void {
    this.connected = connected;
    document.documentElement.dataset.connected = String(connected);
    if (connected) this.notice('', 0);
    else this.notice('The connection to throng is lost. Trying again …', 0);
  }

  private async heard(message: Record<string, unknown>): Promise<void> {
    if (message.type === 'hello') {
      this.askForFigure();  // a server that was started anew knows nothing of it
      const hello = message as unknown as Session;
      if (hello.name !== this.session.name || hello.mode !== this.session.mode) return location.reload();
      if (hello.world_version !== this.session.world_version) await this.worldChanged();
    } else if (message.type === 'world') {
      await this.worldChanged();
      const aside = Number(message.stepped_aside ?? 0), what = {obstacle: 'The obstacle stands', removed: 'The obstacle is gone', sign: 'The sign stands', sign_removed: 'The sign is gone', goal: 'The goal has moved', undone: 'The change is taken back'}[String(message.kind)];
      if (what) this.notice(`${what}${aside > 0 ? `; ${aside} stepped aside` : ''}.`, 3000);
    } else if (message.type === 'speed') this.showSpeed(Number(message.value));
    else if (message.type === 'done') this.notice(String(message.what), 3000), void this.moreGoals();
    else if (message.type === 'weights') {
      this.session = await getJson<Session>('api/session');
      this.tools?.refresh();
      this.notice(String(message.what), 3000);
    } else if (message.type === 'refused') this.notice(String(message.what), 7000), this.tools?.refused();
    else if (message.type === 'person') this.tools?.heardOf(message);
  }

  private worldAsked = 0;
  private async worldChanged(): Promise<void> {
    const asked = ++this.worldAsked;
    const session = await getJson<Session>('api/session'), world = readWorld(await getPack('api/world'));
    if (asked !== this.worldAsked) return;  // a newer one is on its way
    this.session = session;
    this.building.setWorld(world);
    this.overlays.worldChanged();
    this.showDrawn();
    this.marks.rebuild();
    this.tools?.refresh();
    this.controls.offered();
    this.showLegend();
    this.redraw();
  }

  private liveFrame(bytes: ArrayBuffer): void {
    const pack = unpack(bytes);
    if (!(this.frames instanceof LiveHistory)) return;
    const now = performance.now(), isFirst = this.frames.live.length === 0;
    this.frames.add(pack);
    const {people, arrived, paused, finished, step, rate, time} = pack.head;
    this.status = {people, arrived, paused, finished, step, rate};
    this.playing = !paused && !finished;
    this.arrival = {wall: now, time, shown: isFirst ? time : Math.min(time, Math.max(this.time, time - 1)),
                    gap: Math.min(0.5, Math.max(0.02, (now - this.arrival.wall) / 1000))};
    if (pack.head.last_serial > this.agents.last) void this.moreAgents();
    if (pack.head.goal_count !== this.session.goals?.length) void this.moreGoals();
    this.redraw();
  }

  private asking = false;
  private async moreAgents(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      this.agents.take(await getPack(`api/agents?after=${this.agents.last}`));
    } finally {
      this.asking = false;
    }
  }

  /** Goals get their numbers as people set out for them; who was added is in the list of changes. */
  private async moreGoals(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      this.session = await getJson<Session>('api/session');
      this.showLegend();
    } finally {
      this.asking = false;
    }
  }

  private async pollPlots(): Promise<void> {
    try {
      if (this.connected) await this.plots?.update();
    } catch { /* the notice about the connection says it */ }
    this.controls.showRibbon();
    for (const card of this.cards) void Promise.resolve(card.refresh()).catch(() => { /* asked again in a second */ });
    setTimeout(() => void this.pollPlots(), 1000);
  }

  notice(text: string, milliseconds: number): void {
    const box = element('notice');
    box.textContent = text;
    box.hidden = text === '';
    if (milliseconds > 0) setTimeout(() => { if (box.textContent === text) box.hidden = true; }, milliseconds);
  }

  // --- the state

  /** The scene as the state says. */
  private apply(state: ViewState, changed: ReadonlySet<keyof ViewState>): void {
    if (changed.has('view')) {
      this.cameras.setView(state.view);
      if (state.view === 'walk') this.setFollowing(false);
    }
    if (changed.has('view') || changed.has('storey') || changed.has('lift') || changed.has('walls')) {
      const walls = state.view === 'walk' ? Math.max(roomHeight, state.walls) : state.walls;
      this.building.show({lift: state.lift, storey: state.storey, walls, plan: state.view === 'plan'});
      this.overlays.rebuild();
      this.marks.rebuild();
      this.lastSlow = 0;
    }
    if (changed.has('layers')) {
      for (const layer of document.querySelectorAll<HTMLInputElement>('[data-layer]')) {
        const name = layer.dataset.layer as LayerName, on = state.layers.includes(name);
        if (on !== this.overlays.isOn(name)) this.overlays.set(name, on);
      }
      this.lastSlow = 0;
      this.showLegend();
    }
    if (changed.has('trails')) this.overlays.trails = state.trails, (this.lastSlow = 0);
    if (changed.has('drawn')) this.showDrawn();
    if (changed.has('colour')) {
      this.colouring.mode = state.colour;
      this.askForFigure();
      this.showLegend();
    }
    if (changed.has('theme')) this.applyTheme(state.theme);
    this.redraw();
    this.rememberSoon();
  }

  /** Of what was chosen to be drawn over the ground, what the run has now: the last sign may be gone. */
  private showDrawn(): void {
    const offered = new Set((this.session.ground_layers ?? []).map(layer => layer.key));
    this.marks.show(this.store.state.drawn.filter(key => offered.has(key)));
  }

  /** Frames bring a figure only to those who want it. */
  private askForFigure(): void {
    const key = figureOf(this.store.state.colour);
    if (key === null) return;
    this.colouring.fullFigure = this.session.figures?.find(f => f.key === key)?.full ?? 1;
    if (this.session.mode === 'live') this.socket.send({do: 'figure', key});
  }

  setView(view: ViewName): void { this.store.set({view}); }
  setLayer(layer: LayerName, on: boolean): void { this.store.set({layers: on ? [...new Set([...this.store.state.layers, layer])] : this.store.state.layers.filter(l => l !== layer)}); }
  setColour(colour: ColourMode): void { this.store.set({colour}); }
  setTheme(theme: 'light' | 'dark'): void { this.store.set({theme}); }
  showBuilding(shown: {lift?: number; storey?: number | null; walls?: number}): void {
    if (shown.storey !== undefined) this.storeyChosen = true;
    this.store.set(shown);
    if (shown.storey !== undefined) this.preset('overview');
  }

  preset(name: PresetName): void {
    if (this.cameras.view === 'walk') this.setView('orbit');
    this.setFollowing(false);
    this.cameras.preset(name);
    this.controls.cameraPreset(name);
  }

  private applyTheme(theme: 'light' | 'dark'): void {
    document.documentElement.dataset.theme = theme;
    this.scene.background = new THREE.Color().setRGB(...themes[theme].background, THREE.SRGBColorSpace);
    this.building.setTheme(themes[theme]);
    this.overlays.setDark(theme === 'dark');
    this.plots?.restyle();
    this.redraw();
  }

  showLegend(): void {
    const more = [...(this.overlays.isOn('heat') ? [heatLegend()] : []), ...(this.overlays.isOn('clearance') && this.overlays.widest > 0 ? [clearanceLegend(this.overlays.widest)] : [])];
    element('legend').replaceChildren(...(this.session.mode === 'environment' ? [] : this.colouring.legend(this.session)), ...more);
    element('legend-section').hidden = this.session.mode === 'environment' && more.length === 0;
  }

  /** The address says what is shown, a moment after it changed. */
  private rememberCamera(): void { this.rememberSoon(); }
  private rememberSoon(): void { if (this.addressDue === 0) this.addressDue = performance.now() + 400; }
  private remember(now: number): void {
    if (this.addressDue === 0 || now < this.addressDue) return;
    this.addressDue = 0;
    const past = this.session.mode === 'recording' ? !this.playing : this.reviewing;
    const hash = toAddress({...this.store.state, camera: this.cameras.state, time: past ? this.time : null}, this.firstState());
    if (hash !== location.hash) history.replaceState(null, '', location.pathname + location.search + hash);
  }

  // --- for tests and screenshots

  /** The colour of a canvas pixel as it is drawn now, in CSS pixels from its corner. */
  pixel(x: number, y: number): [number, number, number] {
    this.draw(performance.now());
    const gl = this.renderer.getContext(), out = new Uint8Array(4), ratio = this.renderer.getPixelRatio();
    gl.readPixels(Math.floor(x * ratio), Math.floor(this.size.y - y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return [out[0], out[1], out[2]];
  }
  /** How many different colours the canvas has, counted over every eighth pixel. */
  colours(): number {
    this.draw(performance.now());
    const gl = this.renderer.getContext(), out = new Uint8Array(4 * this.size.x * this.size.y), seen = new Set<number>();
    gl.readPixels(0, 0, this.size.x, this.size.y, gl.RGBA, gl.UNSIGNED_BYTE, out);
    for (let i = 0; i < out.length; i += 32) seen.add((out[i] << 16) | (out[i + 1] << 8) | out[i + 2]);
    return seen.size;
  }
  get drawn(): {figures: number; discs: number; dots: number; fps: number; fetchMs: number} {
    return {...this.people.counts, fps: this.fps, fetchMs: this.frames instanceof RecordedFrames ? this.frames.lastFetchMs : 0};
  }
}


const viewer = new Viewer();
(window as unknown as {throng: Viewer}).throng = viewer;
viewer.start().then(() => {
  const wanted = filmWanted(new URLSearchParams(location.search));
  if (wanted) void film(viewer, wanted);
}).catch(error => viewer.notice(`This cannot be shown: ${error.message ?? error}`, 0));
