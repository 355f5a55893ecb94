// What is shown and how, in one value that everything reads: controls change it, the scene follows it, the address of the page holds it, so that
// a reload or a link shows the same.
import type {ColourMode} from './colouring';
import type {LayerName} from './overlays';
import type {ViewName} from './cameras';

export interface ViewState {
  view: ViewName;
  storey: number | null;      // its height; nothing: all of them
  lift: number;
  walls: number;
  layers: readonly LayerName[];
  colour: ColourMode;
  drawn: readonly string[];   // of a live run: keys of what methods draw over the ground
  trails: number;             // seconds; 0: none
  theme: 'light' | 'dark';
  camera: readonly number[];  // Cameras.state; empty: the overview
  time: number | null;        // of a recording, or of a live run's past
  person: number;             // 0: nobody
}

export const usual: ViewState = {view: 'orbit', storey: null, lift: 1, walls: 1.2, layers: ['terrain'], colour: 'profile', drawn: [], trails: 0, theme: 'light', camera: [], time: null, person: 0};

export const layerNames: readonly LayerName[] = ['heat', 'areas', 'terrain', 'routes', 'axis', 'cells', 'clearance', 'passages', 'regions', 'see'];
const views: readonly ViewName[] = ['plan', 'orbit', 'walk'];
const colours: readonly ColourMode[] = ['profile', 'population', 'goal', 'speed', 'density', 'standing'];

/** "#t=12&storey=3.5&layers=heat,areas", only what differs from `from`. */
export function toAddress(state: ViewState, from: ViewState = usual): string {
  const parts: [string, string][] = [];
  const put = (name: string, value: string, standard: string): void => { if (value !== standard) parts.push([name, value]); };
  put('view', state.view, from.view);
  put('storey', state.storey === null ? 'all' : String(state.storey), from.storey === null ? 'all' : String(from.storey));
  put('lift', String(state.lift), String(from.lift));
  put('walls', String(state.walls), String(from.walls));
  put('layers', [...state.layers].sort().join(','), [...from.layers].sort().join(','));
  put('colour', state.colour, from.colour);
  put('drawn', [...state.drawn].sort().join(','), '');
  put('trails', String(state.trails), String(from.trails));
  put('theme', state.theme, from.theme);
  put('camera', state.camera.join(','), from.camera.join(','));
  if (state.time !== null) parts.push(['t', state.time.toFixed(2)]);
  put('person', String(state.person), String(from.person));
  return parts.length > 0 ? '#' + parts.map(([k, v]) => `${k}=${encodeURIComponent(v).replace(/%2C/g, ',')}`).join('&') : '';
}

/** What an address says, as far as it makes sense; whoever writes nonsense gets what is usual. */
export function fromAddress(hash: string, from: ViewState = usual): ViewState {
  const said = new URLSearchParams(hash.replace(/^#/, '')), state = {...from};
  const number = (name: string, low: number, high: number): number | null => {
    const value = Number(said.get(name));
    return said.get(name) && Number.isFinite(value) && value >= low && value <= high ? value : null;
  };
  const one = <T extends string>(name: string, of: readonly T[]): T | null => of.find(v => v === said.get(name)) ?? null;
  state.view = one('view', views) ?? state.view;
  if (said.get('storey') === 'all') state.storey = null;
  else state.storey = number('storey', -1e5, 1e5) ?? state.storey;
  state.lift = number('lift', 1, 5) ?? state.lift;
  state.walls = number('walls', 0, 5) ?? state.walls;
  if (said.get('layers') !== null) state.layers = layerNames.filter(l => said.get('layers')!.split(',').includes(l));
  state.colour = one('colour', colours) ?? (/^figure:[a-z0-9-]+$/.test(said.get('colour') ?? '') ? said.get('colour') as ColourMode : state.colour);
  state.drawn = (said.get('drawn') ?? '').split(',').filter(key => /^[a-z0-9-]+$/.test(key));
  state.trails = number('trails', 0, 3600) ?? state.trails;
  state.theme = one('theme', ['light', 'dark'] as const) ?? state.theme;
  const camera = (said.get('camera') ?? '').split(',').map(Number);
  if (camera.length === 9 && camera.every(Number.isFinite)) state.camera = camera;
  state.time = number('t', 0, 1e9);
  state.person = number('person', 0, 4e9) ?? 0;
  return state;
}

export class Store {
  private readonly followers: ((state: ViewState, changed: ReadonlySet<keyof ViewState>) => void)[] = [];
  constructor(public state: ViewState) {}

  set(change: Partial<ViewState>): void {
    const changed = new Set((Object.keys(change) as (keyof ViewState)[]).filter(key => !same(change[key], this.state[key])));
    if (changed.size === 0) return;
    this.state = {...this.state, ...change};
    for (const follower of this.followers) follower(this.state, changed);
  }
  follow(follower: (state: ViewState, changed: ReadonlySet<keyof ViewState>) => void): void { this.followers.push(follower); }
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => v === b[i]));
}
