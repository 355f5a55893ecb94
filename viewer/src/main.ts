// The page: fetches what is shown, draws it, and answers to its controls.
import './style.css';
import * as THREE from 'three';
import {getJson, getPack, Session, Socket} from './api';
import {Cameras, PresetName, ViewName} from './cameras';
import {themes} from './colours';
import {ColourMode, Colouring, heatLegend} from './colouring';
import {Crowd} from './crowd';
import {Agents, Frames, LiveFrames, RecordedFrames} from './frames';
import {LayerName, Overlays} from './overlays';
import {unpack} from './pack';
import {PeopleView} from './people';
import {PersonPanel} from './person';
import {Plots} from './plots';
import {LiveTools} from './live';
import {Building, readWorld, storeysOf} from './world';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

const shortcuts: [string, string][] = [
  ['space', 'play or pause'], ['. ,', 'one step on, back'], ['+ −', 'faster, slower'], ['← → ↑ ↓', 'move the camera'], ['P O G', 'plan, 3D, walk'],
  ['W A S D', 'walk'], ['1 to 6', 'preset cameras'], ['F', 'follow the chosen person'], ['H', 'density heat map'], ['L', 'trails'],
  ['B R N M', 'live: obstacle, remove, people, goal'], ['X', 'screenshot'], ['T', 'light or dark'], ['Esc', 'let go'], ['?', 'these keys'],
];

/** Whether there is no graphics card: large crowds then do without smooth edges. */
function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

class Viewer {
  session!: Session;
  time = 0;
  playing = false;
  speed = 1;
  selected = 0;
  following = false;
  connected = true;
  readonly socket = new Socket();
  readonly agents = new Agents();
  readonly crowd = new Crowd();
  readonly colouring = new Colouring(this.agents);
  frames: Frames | null = null;
  building!: Building;
  cameras!: Cameras;
  overlays!: Overlays;
  plots: Plots | null = null;
  tools: LiveTools | null = null;
  /** What a live run says of itself. */
  status = {people: 0, arrived: 0, paused: false, finished: false, step: 0, rate: 0};
  private readonly canvas = element<HTMLCanvasElement>('scene');
  private renderer!: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly people = new PeopleView();
  private readonly size = new THREE.Vector2(1, 1);
  private dirty = true;
  private theme: 'light' | 'dark' = 'light';
  private lastDraw = 0;
  private lastSlow = 0;
  private slowMs = 0;
  private lastFrameShown: unknown = null;
  private reviewing = false;
  private arrival = {wall: 0, time: 0, shown: 0, gap: 0.1};
  readonly panel = new PersonPanel(this);
  private fps = 0;

  async start(): Promise<void> {
    this.session = await getJson<Session>('/api/session');
    const world = readWorld(await getPack('/api/world'));
    this.renderer = new THREE.WebGLRenderer({canvas: this.canvas, antialias: !(drawsInSoftware() && (this.session.people ?? 0) > 20000)});
    this.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    this.building = new Building(world, themes[this.theme]);
    this.cameras = new Cameras(this.canvas, this.building);
    this.overlays = new Overlays(this.building);
    this.overlays.onChange = this.cameras.onChange = () => this.redraw();
    this.overlays.onError = what => this.notice(what, 6000);
    this.cameras.onTaken = () => {
      element<HTMLSelectElement>('preset').value = '';
    };
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    sun.position.set(0.4, -0.6, 1);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb8b0a8, 1.8), sun, this.building.group, this.overlays.group, this.people.group);
    await this.beginMode();
    this.controls();
    this.applyTheme();
    new ResizeObserver(() => this.resize()).observe(element('stage'));
    this.resize();
    this.cameras.preset('overview');
    this.socket.onState = connected => this.connection(connected);
    this.socket.onJson = message => this.heard(message);
    this.socket.onBinary = bytes => this.liveFrame(bytes);
    this.socket.open();
    requestAnimationFrame(now => this.tick(now));
    document.documentElement.dataset.ready = 'true';
  }

  private async beginMode(): Promise<void> {
    const {mode, name} = this.session;
    document.title = `${name} · Throng`;
    element('name').textContent = name;
    element('mode').textContent = {recording: 'recording', live: 'live', environment: 'environment'}[mode];
    document.body.dataset.mode = mode;
    if (mode === 'environment') {
      for (const id of ['timeline', 'details']) element(id).hidden = true;
      element('details-button').hidden = true;
      for (const layer of ['areas', 'axis', 'passages'] as LayerName[]) this.setLayer(layer, true);
      document.body.style.gridTemplateColumns = '232px minmax(0, 1fr)';
      return;
    }
    this.plots = new Plots(element('plots'), this.session.lines ?? []);
    this.plots.onSeek = time => this.seek(time);
    if (mode === 'recording') {
      this.agents.take(await getPack('/api/agents'));
      const frames = new RecordedFrames(this.session.frames!, this.session.frame_time!, this.session.people ?? 0);
      frames.onLoad = () => this.redraw();
      frames.onError = what => this.notice(`Frames did not come: ${what}`, 5000);
      this.frames = frames;
      this.playing = true;
      element('routes-label').textContent = 'Ways that were walked';
    } else {
      this.frames = new LiveFrames();
      this.playing = true;
      element('live').hidden = false;
      element('routes-label').textContent = 'Routes ahead';
      this.tools = new LiveTools(this);
      this.speed = this.session.speed ?? 1;
      const known = Array.from(element<HTMLSelectElement>('speed').options).some(o => o.value === String(this.speed));
      if (!known) element('speed').append(new Option(`${this.speed} ×`, String(this.speed)));
      element<HTMLSelectElement>('speed').value = String(this.speed);
    }
    for (const option of document.querySelectorAll<HTMLOptionElement>('[data-live]')) option.hidden = option.disabled = mode !== 'live';
    void this.pollPlots();
  }

  // --- time

  get end(): number {
    return this.session.mode === 'live' ? Math.max(this.frames?.end ?? 0, 0.1) : (this.frames?.end ?? 1);
  }

  seek(time: number): void {
    if (!this.frames) return;
    this.time = Math.min(this.frames.end, Math.max(this.frames.start, time));
    if (this.session.mode === 'live') this.reviewing = true;
    this.redraw();
  }

  setPlaying(playing: boolean): void {
    if (this.session.mode === 'live') {
      this.socket.send({do: playing ? 'play' : 'pause'});
      if (playing) this.reviewing = false;
    } else if (playing && this.frames && this.time >= this.frames.end) {
      this.time = 0;
    }
    this.playing = playing;
    this.redraw();
  }

  step(by: number): void {
    if (this.session.mode === 'live') {
      this.reviewing = false;
      this.playing = false;
      this.socket.send({do: 'step'});
      return;
    }
    if (!this.frames) return;
    this.playing = false;
    this.seek((Math.round(this.time / this.frames.frameTime) + by) * this.frames.frameTime);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    element<HTMLSelectElement>('speed').value = String(speed);
    if (this.session.mode === 'live') this.socket.send({do: 'speed', value: speed});
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
    this.advance(seconds);
    const running = this.frames !== null && (this.playing || this.session.mode === 'live');
    if (!this.dirty && !moved && !running) return;
    this.dirty = false;
    this.draw(now);
  }

  draw(now: number): void {
    const moment = this.frames?.at(this.time) ?? null;
    if (moment) {
      this.crowd.set(moment, this.building, this.agents);
      this.colouring.update(this.crowd, this.frames!, this.selected);
      if (now - this.lastSlow > 200 || moment.a !== this.lastFrameShown) this.drawSlow(now, moment.a);
    }
    const chosen = this.selected ? this.crowd.indexOf(this.selected) : -1;
    this.overlays.mark(chosen < 0 || this.crowd.shown[chosen] === 0 ? null : [this.crowd.x[chosen], this.crowd.y[chosen], this.crowd.z[chosen]]);
    if (this.following && this.selected) this.followSelected();
    if (this.frames) this.people.draw(this.crowd, this.agents, this.colouring.colours, this.cameras.camera, this.size);
    this.overlays.fitLabels(this.cameras.camera);
    this.renderer.render(this.scene, this.cameras.camera);
    if (this.colouring.stale) this.redraw();
    this.showTime();
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
    if (this.session.events?.length) this.overlays.showDropped(this.session.events, this.time, this.session.origin);
    this.tools?.watch();
  }

  private showTime(): void {
    if (!this.frames) return;
    const slider = element<HTMLInputElement>('time');
    slider.min = String(this.frames.start);
    slider.max = String(this.end);
    slider.step = String(Math.min(0.1, this.frames.frameTime));
    if (document.activeElement !== slider || !slider.matches(':active')) slider.value = String(this.time);
    const total = this.session.mode === 'live' ? this.end : this.frames.end;
    element('clock').textContent = `${this.time.toFixed(1)} of ${total.toFixed(1)} s`;
    slider.setAttribute('aria-valuetext', `${this.time.toFixed(1)} seconds`);
    element('counters').textContent = this.counterText();
    const play = element('play');
    play.textContent = this.playing ? 'Pause' : 'Play';
    element('now').hidden = !this.reviewing;
    this.plots?.setTime(this.time);
  }

  private counterText(): string {
    const parts = [`${this.crowd.n} people`];
    if (this.session.mode === 'live') parts.push(`${this.status.arrived} arrived`, this.status.finished ? 'finished' : `${this.status.rate.toFixed(1)} × real time`);
    else {
      let arrived = 0;
      for (let s = 1; s <= this.agents.last; ++s) if (this.agents.leaves[s] <= this.time + 1e-6) ++arrived;
      parts.push(`${arrived} arrived`);
    }
    if (this.colouring.mode === 'stuck') parts.push(`${this.colouring.stuck} stuck`);
    return parts.join(' · ');
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
      if (apart < nearest) nearest = apart, best = crowd.serial[i];
    }
    return best;
  }

  select(serial: number): Promise<void> {
    this.selected = serial;
    element<HTMLButtonElement>('follow').disabled = serial === 0;
    if (serial === 0) this.setFollowing(false);
    this.redraw();
    return this.panel.choose(serial);
  }

  setFollowing(following: boolean): void {
    this.following = following && this.selected !== 0;
    element('follow').setAttribute('aria-pressed', String(this.following));
    if (this.following && this.cameras.view !== 'plan') {
      const i = this.crowd.indexOf(this.selected);
      if (i >= 0) this.cameras.lookAt(this.crowd.x[i], this.crowd.y[i], this.crowd.z[i], 14);
    }
    this.redraw();
  }

  private followSelected(): void {
    const i = this.crowd.indexOf(this.selected);
    if (i >= 0) this.cameras.follow(this.crowd.x[i], this.crowd.y[i], this.crowd.z[i]);
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
      const hello = message as unknown as Session;
      if (hello.name !== this.session.name || hello.mode !== this.session.mode) return location.reload();
      if (hello.world_version !== this.session.world_version) await this.worldChanged();
    } else if (message.type === 'world') await this.worldChanged();
    else if (message.type === 'refused') this.notice(String(message.what), 7000);
    else if (message.type === 'person') this.tools?.heardOf(message);
  }

  private async worldChanged(): Promise<void> {
    this.session = await getJson<Session>('/api/session');
    this.building.setWorld(readWorld(await getPack('/api/world')));
    this.overlays.worldChanged();
    this.tools?.refresh();
    this.showLegend();
    this.redraw();
  }

  private liveFrame(bytes: ArrayBuffer): void {
    const pack = unpack(bytes);
    if (!(this.frames instanceof LiveFrames)) return;
    const now = performance.now();
    this.frames.add(pack);
    const {people, arrived, paused, finished, step, rate, time} = pack.head;
    this.status = {people, arrived, paused, finished, step, rate};
    this.playing = !paused && !finished;
    this.arrival = {wall: now, time, shown: Math.min(time, Math.max(this.time, time - 1)),
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
      this.agents.take(await getPack(`/api/agents?after=${this.agents.last}`));
    } finally {
      this.asking = false;
    }
  }

  /** Goals get their numbers as people set out for them. */
  private async moreGoals(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      this.session = await getJson<Session>('/api/session');
      this.showLegend();
    } finally {
      this.asking = false;
    }
  }

  private async pollPlots(): Promise<void> {
    try {
      if (this.connected) await this.plots?.update();
    } catch { /* the notice about the connection says it */ }
    setTimeout(() => void this.pollPlots(), 1000);
  }

  notice(text: string, milliseconds: number): void {
    const box = element('notice');
    box.textContent = text;
    box.hidden = text === '';
    if (milliseconds > 0) setTimeout(() => { if (box.textContent === text) box.hidden = true; }, milliseconds);
  }

  // --- controls

  setView(view: ViewName): void {
    this.cameras.setView(view);
    for (const name of ['plan', 'orbit', 'walk']) element(`view-${name}`).setAttribute('aria-pressed', String(name === view));
    if (view === 'walk') this.setFollowing(false);
    this.redraw();
  }

  setLayer(layer: LayerName, on: boolean): void {
    document.querySelector<HTMLInputElement>(`[data-layer='${layer}']`)!.checked = on;
    this.overlays.set(layer, on);
    if (layer === 'heat') this.showLegend(), (this.lastSlow = 0);
    this.redraw();
  }

  setColour(mode: ColourMode): void {
    this.colouring.mode = mode;
    element<HTMLSelectElement>('colour').value = mode;
    this.showLegend();
    this.redraw();
  }

  preset(name: PresetName): void {
    if (this.cameras.view === 'walk') this.setView('orbit');
    this.setFollowing(false);
    this.cameras.preset(name);
    element<HTMLSelectElement>('preset').value = name;
  }

  private showLegend(): void {
    const heat = this.overlays.isOn('heat') ? [heatLegend()] : [];
    element('legend').replaceChildren(...this.colouring.legend(this.session), ...heat);
  }

  private applyTheme(): void {
    document.documentElement.dataset.theme = this.theme;
    element('theme').setAttribute('aria-pressed', String(this.theme === 'dark'));
    this.scene.background = new THREE.Color().setRGB(...themes[this.theme].background, THREE.SRGBColorSpace);
    this.building.setTheme(themes[this.theme]);
    this.overlays.setDark(this.theme === 'dark');
    this.plots?.restyle();
    this.redraw();
  }
  setTheme(theme: 'light' | 'dark'): void {
    this.theme = theme;
    this.applyTheme();
  }

  screenshot(): void {
    this.draw(performance.now());
    this.canvas.toBlob(blob => {
      if (!blob) return;
      const link = Object.assign(document.createElement('a'), {href: URL.createObjectURL(blob), download: `${this.session.name}-${this.time.toFixed(1)}s.png`});
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  showBuilding(shown: {lift?: number; storey?: number | null; walls?: number}): void {
    this.building.show(shown);
    this.overlays.rebuild();
    this.lastSlow = 0;
    this.redraw();
  }

  private controls(): void {
    const on = (id: string, event: string, act: (target: HTMLInputElement) => void): void =>
      element(id).addEventListener(event, e => act(e.currentTarget as HTMLInputElement));
    for (const view of ['plan', 'orbit', 'walk'] as ViewName[]) on(`view-${view}`, 'click', () => this.setView(view));
    on('preset', 'change', select => select.value && this.preset(select.value as PresetName));
    on('follow', 'click', () => this.setFollowing(!this.following));
    on('shot', 'click', () => this.screenshot());
    on('theme', 'click', () => this.setTheme(this.theme === 'dark' ? 'light' : 'dark'));
    on('help-button', 'click', () => this.toggleHelp());
    on('colour', 'change', select => this.setColour(select.value as ColourMode));
    on('trails', 'change', box => { this.overlays.trails = box.checked; this.lastSlow = 0; this.redraw(); });
    for (const box of document.querySelectorAll<HTMLInputElement>('[data-layer]'))
      box.addEventListener('change', () => this.setLayer(box.dataset.layer as LayerName, box.checked));
    on('storey', 'change', select => this.showBuilding({storey: Number(select.value) < 0 ? null : storeysOf(this.building.world)[Number(select.value)].z}));
    on('lift', 'input', range => this.showBuilding({lift: Number(range.value)}));
    on('walls', 'input', range => this.showBuilding({walls: Number(range.value)}));
    on('play', 'click', () => this.setPlaying(!this.playing));
    on('step', 'click', () => this.step(1));
    on('speed', 'change', select => this.setSpeed(Number(select.value)));
    on('time', 'input', range => this.seek(Number(range.value)));
    on('now', 'click', () => { this.reviewing = false; this.redraw(); });
    on('person-close', 'click', () => void this.select(0));
    for (const [button, panel] of [['settings-button', 'settings'], ['details-button', 'details']])
      on(button, 'click', () => {
        const open = element(panel).classList.toggle('open');
        element(button).setAttribute('aria-expanded', String(open));
      });
    const storeys = storeysOf(this.building.world);
    element('storey').append(...storeys.map((s, i) => new Option(s.name, String(i))));
    (element('storey').closest('label') as HTMLElement).hidden = (element('lift').closest('label') as HTMLElement).hidden = storeys.length < 2;
    element('help').innerHTML = `<h2>Keys</h2><dl>${shortcuts.map(([k, what]) => `<dt>${k}</dt><dd>${what}</dd>`).join('')}</dl>`;
    this.showLegend();
    this.pointer();
    this.keyboard();
  }

  private toggleHelp(): void {
    const help = element('help');
    help.hidden = !help.hidden;
    element('help-button').setAttribute('aria-expanded', String(!help.hidden));
  }

  private pointer(): void {
    let down: {x: number; y: number} | null = null;
    this.canvas.addEventListener('pointerdown', e => { down = {x: e.offsetX, y: e.offsetY}; });
    this.canvas.addEventListener('pointerup', e => {
      const still = down && Math.hypot(e.offsetX - down.x, e.offsetY - down.y) < 5;
      down = null;
      if (!still || e.button !== 0) return;
      if (this.tools?.click(e.offsetX, e.offsetY)) return;
      void this.select(this.personAt(e.offsetX, e.offsetY));
    });
    this.canvas.addEventListener('pointermove', e => {
      if (this.overlays.isOn('see')) this.overlays.see(this.placeAt(e.offsetX, e.offsetY));
      this.tools?.hover(e.offsetX, e.offsetY);
    });
    this.canvas.addEventListener('pointerleave', () => {
      this.overlays.see(null);
      this.tools?.leave();
    });
  }

  private keyboard(): void {
    const views: Record<string, ViewName> = {p: 'plan', o: 'orbit', g: 'walk'};
    const presets: PresetName[] = ['overview', 'top', 'south', 'east', 'north', 'west'];
    const speeds = ['0.25', '0.5', '1', '2', '5', '10', '30'];
    addEventListener('keydown', e => {
      const target = e.target as HTMLElement;
      if (e.ctrlKey || e.metaKey || e.altKey || target.matches('select, input[type=number]')) return;
      const arrows = e.code.startsWith('Arrow');
      if (arrows && target.matches('input')) return;
      const walks = ['KeyW', 'KeyA', 'KeyS', 'KeyD'].includes(e.code) && this.cameras.view === 'walk';
      if (arrows || walks || e.code === 'ShiftLeft') {
        this.cameras.key(e.code, true);
        if (arrows) e.preventDefault();
        return;
      }
      const key = e.key.toLowerCase();
      if (key === ' ' && !target.matches('button, input, a')) this.setPlaying(!this.playing), e.preventDefault();
      else if (key === '.') this.step(1);
      else if (key === ',') this.step(-1);
      else if (key === '+' || key === '-') {
        const now = speeds.indexOf(String(this.speed));
        this.setSpeed(Number(speeds[Math.min(speeds.length - 1, Math.max(0, now + (key === '+' ? 1 : -1)))]));
      } else if (key in views) this.setView(views[key]);
      else if (/^[1-6]$/.test(key)) this.preset(presets[Number(key) - 1]);
      else if (key === 'f') this.setFollowing(!this.following);
      else if (key === 'h') this.setLayer('heat', !this.overlays.isOn('heat'));
      else if (key === 'l') element('trails').click();
      else if (key === 'x') this.screenshot();
      else if (key === 't') this.setTheme(this.theme === 'dark' ? 'light' : 'dark');
      else if (key === '?') this.toggleHelp();
      else if (key === 'escape') {
        if (!element('help').hidden) this.toggleHelp();
        this.tools?.setTool('look');
        void this.select(0);
      } else this.tools?.key(key);
    });
    addEventListener('keyup', e => this.cameras.key(e.code, false));
    addEventListener('blur', () => this.cameras.releaseKeys());
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

export type {Viewer};

const viewer = new Viewer();
(window as unknown as {throng: Viewer}).throng = viewer;
viewer.start().catch(error => viewer.notice(`This cannot be shown: ${error.message ?? error}`, 0));
