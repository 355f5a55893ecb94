// Two runs side by side: two viewers that share a clock and a camera, and their curves in one plot. Whichever is touched leads.
import './style.css';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {category, css} from './colours';
import type {Viewer} from './main';

const query = new URLSearchParams(location.search);
const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const frames = ['a', 'b'].map(id => element<HTMLIFrameElement>(id));
const addresses = ['a', 'b'].map(id => new URL(query.get(id) ?? `./${id}/`, location.href));

type Page = Window & {throng?: Viewer};
const viewerIn = (frame: HTMLIFrameElement): Viewer | null => {
  const page = frame.contentWindow as Page | null;
  return page?.document?.documentElement?.dataset.ready === 'true' ? page.throng ?? null : null;
};

/** What the page that opened this calls it. */
const nameOf = (viewer: Viewer, i: number): string => query.get(i === 0 ? 'na' : 'nb') ?? viewer.session.name;

let leader = 0;
function follow(): void {
  requestAnimationFrame(follow);
  const [from, to] = leader === 0 ? frames.map(viewerIn) : frames.map(viewerIn).reverse();
  if (!from || !to) return;
  if (to.playing) to.setPlaying(false);
  if (Math.abs(to.time - from.time) > 1e-3) to.seek(from.time);
  to.cameras.copy(from.cameras);
  if (to.speed !== from.speed) to.setSpeed(from.speed);
}

async function begin(): Promise<void> {
  // Pages of this program only: an address elsewhere is none of ours.
  if (addresses.some(a => a.origin !== location.origin)) throw new Error('both runs have to be of this program');
  frames.forEach((frame, i) => {
    frame.src = addresses[i].href;
    frame.addEventListener('load', () => {
      for (const event of ['pointerdown', 'wheel', 'keydown']) frame.contentWindow!.addEventListener(event, () => { leader = i; }, {capture: true, passive: true});
    });
  });
  follow();
  while (!frames.every(viewerIn)) await new Promise(resolve => setTimeout(resolve, 100));
  const viewers = frames.map(viewerIn) as Viewer[];
  frames.forEach((frame, i) => {
    // Room for the pictures: what both have is said once, above them.
    frame.contentDocument!.body.classList.add('beside');
    frame.contentDocument!.getElementById('name')!.textContent = nameOf(viewers[i], i);
    viewers[i].setView('plan');
    viewers[i].preset('overview');
  });
  for (const viewer of viewers) while (!viewer.plots?.isComplete) await new Promise(resolve => setTimeout(resolve, 200));
  element('curve').addEventListener('change', () => draw(viewers));
  draw(viewers);
  document.documentElement.dataset.ready = 'true';
}

let plot: uPlot | null = null;
function draw(viewers: Viewer[]): void {
  const name = element<HTMLSelectElement>('curve').value, [a, b] = viewers.map(v => v.plots!);
  const times = [...new Set([...a.values('time'), ...b.values('time')])].sort((x, y) => x - y);
  const spread = (p: typeof a): (number | null)[] => {
    const at = new Map(p.values('time').map((t, i) => [t, p.values(name)[i]]));
    return times.map(t => at.get(t) ?? null);
  };
  plot?.destroy();
  const box = element('plot');
  plot = new uPlot({width: Math.max(300, box.clientWidth - 4), height: 190, scales: {x: {time: false}, y: {range: (_u, _l, h) => [0, Math.max(1.05 * h, 0.1)]}}, legend: {live: true},
    series: [{label: 'time (s)'}, ...viewers.map((v, i) => ({label: `${i === 0 ? 'left' : 'right'} (${nameOf(v, i)})`, stroke: css(category(i)), width: 2, spanGaps: true, points: {show: false}}))],
    cursor: {drag: {x: true, y: false}}}, [times, spread(a), spread(b)] as uPlot.AlignedData, box);
  plot.over.addEventListener('click', e => viewers[leader].seek(plot!.posToVal(e.offsetX, 'x')));
  // Of everybody who ever was, as `throng run` says it: a part is out once so many have arrived.
  const seconds = viewers.map(v => {
    const all = v.session.people ?? 0, times = [...v.agents.leaves.subarray(1, v.agents.last + 1)].filter(Number.isFinite).sort((x, y) => x - y);
    const after = (part: number): number | null => { const n = Math.ceil(part * all - 1e-9); return n > 0 && times.length >= n ? times[n - 1] : null; };
    return {arrived: times.length, all, after: [after(0.5), after(0.95), after(1)]};
  });
  const cell = (kind: 'th' | 'td', textContent: string): HTMLElement => Object.assign(document.createElement(kind), {textContent});
  const row = (kind: 'th' | 'td', texts: string[]): HTMLElement => {
    const tr = document.createElement('tr');
    tr.append(...texts.map((text, k) => cell(k === 0 ? 'th' : kind, text)));
    return tr;
  };
  const time = (t: number | null): string => (t === null ? '—' : `${t.toFixed(1)} s`), signed = (v: number): string => `${v < 0 ? '−' : '+'}${Math.abs(v).toFixed(1)} s`;
  const [l, r] = seconds;
  element('figures').replaceChildren(row('th', ['', 'left', 'right', 'difference']), row('td', ['arrived', `${l.arrived} of ${l.all}`, `${r.arrived} of ${r.all}`, '']),
    ...['half out after', '95 % out after', 'all out after'].map((what, k) => { const [x, y] = [l.after[k], r.after[k]]; return row('td', [what, time(x), time(y), x === null || y === null ? '' : signed(y - x)]); }));
}

begin().catch(error => { element('plot').textContent = `These cannot be compared: ${error.message ?? error}`; });
