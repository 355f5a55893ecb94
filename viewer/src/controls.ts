// What is pressed, clicked and typed: controls change the state and the time, and show what they are.
import type {PresetName, ViewName} from './cameras';
import type {ColourMode} from './colouring';
import type {Viewer} from './main';
import type {LayerName} from './overlays';
import {savePicture} from './picture';
import {storeysOf} from './world';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

/** Keys, what they do, and in which modes they do it. */
const shortcuts: [string, string, string][] = [
  ['space', 'play or pause', 'recording live'], ['. ,', 'one step on, back', 'recording live'], ['+ −', 'faster, slower', 'recording live'], ['← → ↑ ↓', 'move the camera', ''], ['Z U', 'nearer, farther', ''], ['Q E', 'turn', ''], ['0', 'all of it', ''],
  ['P O G', 'plan, 3D, walk', ''], ['W A S D', 'walk', ''], ['1 to 6', 'preset cameras', ''], ['PgUp PgDn', 'storey up, down', ''], ['Enter', 'a click in the middle of the picture', ''], ['J K', 'the next person, the one before', 'recording live'], ['F', 'follow the chosen person', 'recording live'],
  ['H', 'density heat map', 'recording live'], ['L', 'trails', 'recording live'], ['B R N I M', 'obstacle, remove, people, sign, goal', 'live'], ['X', 'picture for paper', ''], ['C', 'record a clip, end it', 'recording live'], ['T', 'light or dark', ''], ['Esc', 'close, let go', ''], ['?', 'these keys', ''],
];
const narrow = matchMedia('(max-width: 900px)');
const speeds = [0.25, 0.5, 1, 2, 5, 10, 30];

export class Controls {
  constructor(private readonly viewer: Viewer) {}

  begin(): void {
    const {viewer} = this;
    const on = (id: string, event: string, act: (target: HTMLInputElement) => void): void => element(id).addEventListener(event, e => act(e.currentTarget as HTMLInputElement));
    for (const view of ['plan', 'orbit', 'walk'] as ViewName[]) on(`view-${view}`, 'click', () => viewer.setView(view));
    on('preset', 'change', select => select.value && viewer.preset(select.value as PresetName));
    on('fit', 'click', () => viewer.preset('overview'));
    on('follow', 'click', () => viewer.setFollowing(!viewer.following));
    on('shot', 'click', () => savePicture(viewer));
    on('clip', 'click', () => this.toggleClip());
    viewer.clip.onChange = running => {
      element('clip').textContent = running ? 'Stop recording' : 'Record a clip';
      element('clip').setAttribute('aria-pressed', String(running));
    };
    on('theme', 'click', () => viewer.setTheme(viewer.store.state.theme === 'dark' ? 'light' : 'dark'));
    on('help-button', 'click', () => this.toggleHelp());
    on('colour', 'change', select => viewer.setColour(select.value as ColourMode));
    on('trails', 'change', select => viewer.store.set({trails: Number(select.value)}));
    for (const box of document.querySelectorAll<HTMLInputElement>('[data-layer]'))
      box.addEventListener('change', () => viewer.setLayer(box.dataset.layer as LayerName, box.checked));
    on('lift', 'input', range => viewer.showBuilding({lift: Number(range.value)}));
    on('walls', 'input', range => viewer.showBuilding({walls: Number(range.value)}));
    on('play', 'click', () => viewer.setPlaying(!viewer.playing));
    on('step', 'click', () => viewer.step(1));
    on('speed', 'change', select => viewer.setSpeed(Number(select.value)));
    on('time', 'input', range => viewer.seek(Number(range.value)));
    on('now', 'click', () => viewer.backToNow());
    on('person-close', 'click', () => void viewer.select(0));
    on('csv', 'click', () => this.saveCurves());
    for (const [button, panel] of [['settings-button', 'settings'], ['details-button', 'details']]) {
      element(button).setAttribute('aria-expanded', String(!narrow.matches));
      on(button, 'click', () => {
        // Over the picture where there is little room, beside it elsewhere.
        const open = narrow.matches ? element(panel).classList.toggle('open') : !document.body.classList.toggle(`no-${panel}`);
        element(button).setAttribute('aria-expanded', String(open));
      });
    }
    this.storeys();
    this.offered();
    const {mode} = viewer.session;
    element('help').innerHTML = `<h2>Keys</h2><dl>${shortcuts.filter(s => s[2] === '' || s[2].includes(mode)).map(([k, what]) => `<dt>${k}</dt><dd>${what}</dd>`).join('')}</dl>`;
    viewer.store.follow(() => this.show());
    this.show();
    viewer.showLegend();
    this.pointer();
    this.keyboard();
  }

  /** What the run offers by itself: figures to colour people by, and what methods draw over the ground. */
  offered(): void {
    const {viewer} = this, {figures, ground_layers: layers} = viewer.session, colours = element<HTMLSelectElement>('colour');
    const known = [...colours.options].map(option => option.value);
    colours.append(...(figures ?? []).filter(figure => !known.includes(`figure:${figure.key}`)).map(figure => new Option(figure.label, `figure:${figure.key}`)));
    const boxes = (layers ?? []).map(layer => {
      const label = Object.assign(document.createElement('label'), {className: 'check'}), box = Object.assign(document.createElement('input'), {type: 'checkbox'});
      box.dataset.drawn = layer.key;
      box.addEventListener('change', () => {
        const others = viewer.store.state.drawn.filter(key => key !== layer.key);
        viewer.store.set({drawn: box.checked ? [...others, layer.key] : others});
      });
      box.checked = viewer.store.state.drawn.includes(layer.key);
      label.append(box, ` ${layer.label}`);
      return label;
    });
    element('drawn').replaceChildren(...boxes);
  }

  /** A card for each storey, the highest on top. */
  private storeys(): void {
    const {viewer} = this, storeys = storeysOf(viewer.building.world), box = element('storeys');
    (element('lift').closest('label') as HTMLElement).hidden = element('storey-section').hidden = storeys.length < 2;
    const card = (text: string, title: string, storey: number | null): HTMLButtonElement => {
      const button = Object.assign(document.createElement('button'), {textContent: text, title, className: 'storey-card'});
      button.dataset.storey = storey === null ? 'all' : String(storey);
      button.addEventListener('click', () => viewer.showBuilding({storey}));
      return button;
    };
    box.replaceChildren(card('all', 'All storeys', null), ...[...storeys].reverse().map(s => card(s.name, s.name, s.z)));
  }

  /** Controls as the state is. */
  private show(): void {
    const {state} = this.viewer.store;
    for (const view of ['plan', 'orbit', 'walk']) element(`view-${view}`).setAttribute('aria-pressed', String(view === state.view));
    for (const box of document.querySelectorAll<HTMLInputElement>('[data-layer]')) box.checked = state.layers.includes(box.dataset.layer as LayerName);
    for (const card of document.querySelectorAll<HTMLElement>('.storey-card')) card.setAttribute('aria-pressed', String(card.dataset.storey === (state.storey === null ? 'all' : String(state.storey))));
    for (const box of document.querySelectorAll<HTMLInputElement>('[data-drawn]')) box.checked = state.drawn.includes(box.dataset.drawn!);
    element<HTMLSelectElement>('colour').value = state.colour;
    element<HTMLSelectElement>('trails').value = String(state.trails);
    element<HTMLInputElement>('lift').value = String(state.lift);
    element<HTMLInputElement>('walls').value = String(state.walls);
    element('theme').setAttribute('aria-pressed', String(state.theme === 'dark'));
  }

  cameraTaken(): void { element<HTMLSelectElement>('preset').value = ''; }
  cameraPreset(name: PresetName): void { element<HTMLSelectElement>('preset').value = name; }

  showTime(): void {
    const {viewer} = this;
    if (!viewer.frames) return;
    const slider = element<HTMLInputElement>('time');
    slider.min = String(viewer.frames.start);
    slider.max = String(viewer.end);
    slider.step = String(Math.min(0.1, viewer.frames.frameTime));
    if (document.activeElement !== slider || !slider.matches(':active')) slider.value = String(viewer.time);
    element('clock').textContent = `${viewer.time.toFixed(1)} of ${viewer.end.toFixed(1)} s`;
    slider.setAttribute('aria-valuetext', `${viewer.time.toFixed(1)} seconds`);
    element('counters').textContent = this.counterText();
    const {status, session} = viewer, over = session.mode === 'live' && status.finished;
    element('play').textContent = viewer.playing ? 'Pause' : 'Play';
    element<HTMLButtonElement>('play').disabled = element<HTMLButtonElement>('step').disabled = over;
    element('now').hidden = !viewer.reviewing;
    viewer.plots?.setTime(viewer.time);
  }

  private arrivals: number[] | null = null;
  private counterText(): string {
    const {viewer} = this, parts = [`${viewer.crowd.n} people`];
    if (viewer.session.mode === 'live') parts.push(`${viewer.status.arrived} arrived`, viewer.reviewing ? 'the past' : viewer.status.finished ? 'finished' : viewer.status.paused ? 'paused' : `${viewer.status.rate.toFixed(1)} × real time`);
    else {
      this.arrivals ??= [...viewer.agents.leaves.slice(1, viewer.agents.last + 1)].filter(t => !Number.isNaN(t)).sort((a, b) => a - b);
      let low = 0, high = this.arrivals.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.arrivals[middle] <= viewer.time + 1e-6) low = middle + 1;
        else high = middle;
      }
      parts.push(`${low} arrived`);
    }
    if (viewer.colouring.mode === 'standing') parts.push(`${viewer.colouring.standing} standing`);
    return parts.join(' · ');
  }

  /** Density over time in the timeline itself, arrivals as a line, changes as marks. */
  showRibbon(): void {
    const {viewer} = this, canvas = element<HTMLCanvasElement>('ribbon'), plots = viewer.plots;
    if (!plots || !viewer.frames) return;
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
    const context = canvas.getContext('2d')!, times = plots.values('time'), density = plots.values('density'), arrived = plots.values('arrived'), end = Math.max(1e-9, viewer.end), most = Math.max(1, ...arrived);
    const x = (t: number): number => (t / end) * canvas.width;
    for (let i = 0; i < times.length; ++i) {
      const part = Math.min(1, density[i] / 4);
      context.fillStyle = `rgba(181, 54, 122, ${(0.08 + 0.85 * part).toFixed(3)})`;
      context.fillRect(x(times[i]), 0, Math.max(1, x(1)), canvas.height);
    }
    context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
    context.lineWidth = devicePixelRatio;
    context.beginPath();
    times.forEach((t, i) => context.lineTo(x(t), canvas.height - 1 - (arrived[i] / most) * (canvas.height - 3)));
    context.stroke();
    context.fillStyle = '#0b6aa2';
    for (const event of viewer.session.events ?? []) context.fillRect(x(event.time) - devicePixelRatio, 0, 2 * devicePixelRatio, canvas.height);
  }

  private saveCurves(): void {
    const {plots, session} = this.viewer;
    if (!plots) return;
    const link = Object.assign(document.createElement('a'), {href: URL.createObjectURL(new Blob([plots.csv()], {type: 'text/csv'})), download: `${session.name.replace(/\.[a-z]+$/, '')}-curves.csv`});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  private toggleClip(): void {
    const {clip} = this.viewer;
    if (clip.running) clip.stop();
    else clip.start();
  }

  private toggleHelp(): void {
    const help = element('help');
    help.hidden = !help.hidden;
    element('help-button').setAttribute('aria-expanded', String(!help.hidden));
  }

  private pointer(): void {
    const {viewer} = this, {canvas} = viewer;
    let down: {x: number; y: number} | null = null;
    canvas.addEventListener('pointerdown', e => {
      down = {x: e.offsetX, y: e.offsetY};
      for (const panel of ['settings', 'details']) element(panel).classList.remove('open');
    });
    canvas.addEventListener('pointerup', e => {
      const still = down && Math.hypot(e.offsetX - down.x, e.offsetY - down.y) < 5;
      down = null;
      if (still && e.button === 0) this.clickAt(e.offsetX, e.offsetY);
    });
    canvas.addEventListener('pointermove', e => {
      const place = viewer.placeAt(e.offsetX, e.offsetY);
      if (viewer.overlays.isOn('see')) viewer.overlays.see(place);
      this.showPlace(place);
      for (const card of viewer.cards) card.hover?.(place);
      if (viewer.tools && !viewer.reviewing) viewer.tools.hover(e.offsetX, e.offsetY);
      else this.hover(e.offsetX, e.offsetY);
    });
    canvas.addEventListener('pointerleave', () => {
      viewer.overlays.see(null);
      viewer.tools?.leave();
      element('hover').hidden = true;
      element('place').textContent = '';
    });
  }

  /** What a click does: the tool's, a card's, or a person is chosen. */
  private clickAt(x: number, y: number): void {
    const {viewer} = this;
    if (viewer.tools?.click(x, y)) return;
    const place = viewer.placeAt(x, y);
    if (place && viewer.cards.some(card => card.click?.(place))) return;
    const serial = viewer.personAt(x, y);
    if (serial) void viewer.select(serial);
  }

  /** Where the pointer is, in the file's coordinates. */
  private showPlace(place: {x: number; y: number; layer: number} | null): void {
    const {session} = this.viewer;
    element('place').textContent = place ? `${(place.x + session.origin[0]).toFixed(2)}, ${(place.y + session.origin[1]).toFixed(2)} m · ${session.layers[place.layer] || 'ground'}` : '';
  }

  /** Of somebody recorded: what the frames tell. */
  private hover(x: number, y: number): void {
    const {viewer} = this, {crowd} = viewer, box = element('hover'), serial = viewer.frames ? viewer.personAt(x, y) : 0, i = serial ? crowd.indexOf(serial) : -1;
    box.hidden = i < 0;
    if (i < 0) return;
    box.textContent = `${serial}: ${viewer.session.profiles?.[viewer.agents.profile[serial]] ?? ''}, ${crowd.speed[i].toFixed(2)} m/s`;
    box.style.left = `${x + 16}px`;
    box.style.top = `${y > 80 ? y - 42 : y + 14}px`;
  }

  private keyboard(): void {
    const {viewer} = this, views: Record<string, ViewName> = {p: 'plan', o: 'orbit', g: 'walk'}, presets: PresetName[] = ['overview', 'top', 'south', 'east', 'north', 'west'];
    addEventListener('keydown', e => {
      const target = e.target as HTMLElement;
      if (e.ctrlKey || e.metaKey || e.altKey || target.matches('select, input[type=number], input[type=text], textarea')) return;
      const arrows = e.code.startsWith('Arrow');
      if (arrows && target.matches('input')) return;
      const walks = ['KeyW', 'KeyA', 'KeyS', 'KeyD'].includes(e.code) && viewer.cameras.view === 'walk';
      if (arrows || walks || e.code === 'ShiftLeft') {
        viewer.cameras.key(e.code, true);
        if (arrows) e.preventDefault();
        return;
      }
      const key = e.key.toLowerCase();
      // Space plays wherever the focus is, but for what it presses itself.
      if (key === ' ' && !target.matches('button:not([data-tool]):not(.storey-card):not([id^=view-]), a, input[type=checkbox]')) {
        viewer.setPlaying(!viewer.playing);
        return e.preventDefault();
      }
      // Without a pointer: the camera moves by arrows, the cross in the middle clicks.
      if (key === 'enter') {
        if (!target.matches('button, a, summary, input')) this.clickAt(viewer.canvas.clientWidth / 2, viewer.canvas.clientHeight / 2);
        return;
      }
      if (key === '.') viewer.step(1);
      else if (key === ',') viewer.step(-1);
      else if (key === '+' || key === '-') this.faster(key === '+');
      else if (key === 'z' || key === 'u') viewer.cameras.zoomBy(key === 'z' ? 1.25 : 0.8);
      else if (key === 'q' || key === 'e') viewer.cameras.turnBy(key === 'q' ? -0.2 : 0.2);
      else if (key === '0') viewer.preset('overview');
      else if (key === 'j' || key === 'k') viewer.selectNext(key === 'j' ? 1 : -1);
      else if (key === 'pageup' || key === 'pagedown') this.otherStorey(key === 'pageup' ? 1 : -1), e.preventDefault();
      else if (key in views) viewer.setView(views[key]);
      else if (/^[1-6]$/.test(key)) viewer.preset(presets[Number(key) - 1]);
      else if (key === 'f') viewer.setFollowing(!viewer.following);
      else if (key === 'h') viewer.setLayer('heat', !viewer.overlays.isOn('heat'));
      else if (key === 'l') viewer.store.set({trails: viewer.store.state.trails > 0 ? 0 : 10});
      else if (key === 'x') savePicture(viewer);
      else if (key === 'c') this.toggleClip();
      else if (key === 't') viewer.setTheme(viewer.store.state.theme === 'dark' ? 'light' : 'dark');
      else if (key === '?') this.toggleHelp();
      else if (key === 'escape') this.escape();
      else viewer.tools?.key(key);
    });
    addEventListener('keyup', e => viewer.cameras.key(e.code, false));
    addEventListener('blur', () => viewer.cameras.releaseKeys());
  }

  /** What is open closes first; then the tool; then the person is let go. */
  private escape(): void {
    const {viewer} = this, panel = ['settings', 'details'].find(id => element(id).classList.contains('open'));
    if (!element('help').hidden) return this.toggleHelp();
    if (panel) return void element(panel).classList.remove('open');
    if (viewer.cards.some(card => card.cancel?.())) return;
    if (viewer.tools && viewer.tools.isActive) return viewer.tools.setTool('look');
    void viewer.select(0);
  }

  /** The next of the usual speeds; from "as fast as it can" the fastest of them. */
  private faster(up: boolean): void {
    const {viewer} = this, now = viewer.speed;
    if (now === 0) return up ? undefined : viewer.setSpeed(speeds[speeds.length - 1]);
    const next = up ? speeds.find(s => s > now + 1e-9) : [...speeds].reverse().find(s => s < now - 1e-9);
    if (next !== undefined) viewer.setSpeed(next);
    else if (up && viewer.session.mode === 'live') viewer.setSpeed(0);
  }

  private otherStorey(by: number): void {
    const {viewer} = this, storeys = storeysOf(viewer.building.world), at = storeys.findIndex(s => s.z === viewer.store.state.storey);
    if (storeys.length > 1) viewer.showBuilding({storey: storeys[Math.min(storeys.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : storeys.length - 1) : at + by))].z});
  }
}
