// The plots beside the picture: people and arrivals, flow, density, speed; a line shows the time, a click goes there.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {getPack} from './api';
import {category, css} from './colours';

type Column = 'time' | 'people' | 'arrived' | 'speed' | 'density';
interface Curve {
  label: string;
  column: string;
  colour: string;
}
interface Chart {
  title: string;
  unit: string;
  curves: Curve[];
  plot?: uPlot;
}

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

/** Of one plot; all columns are in the file of curves. */
const mostCurves = 30;

export class Plots {
  private readonly columns = new Map<string, number[]>();
  private charts: Chart[] = [];
  private time = 0;
  private complete = false;
  onSeek: (time: number) => void = () => {};

  constructor(private readonly element: HTMLElement, lines: string[], areas: string[]) {
    const flows = (lines.length > 0 ? lines : ['arrivals']).slice(0, mostCurves);
    this.charts = [
      {title: 'People', unit: 'persons', curves: [{label: 'present', column: 'people', colour: css(category(0))}, {label: 'arrived', column: 'arrived', colour: css(category(2))}]},
      {title: flows.length > 1 ? 'Flow' : flows[0] === 'arrivals' ? 'Flow of arrivals' : `Flow through ${flows[0]}`, unit: 'persons / s', curves: flows.map((name, i) => ({label: name, column: `flow${i}`, colour: css(category(i + 3))}))},
      {title: 'Mean density around a person', unit: 'persons / m²', curves: [{label: 'density around', column: 'density', colour: css(category(4))}]},
      {title: 'Mean speed', unit: 'm / s', curves: [{label: 'speed', column: 'speed', colour: css(category(5))}]},
      ...(areas.length > 0 ? [{title: 'Density in the measured areas', unit: 'persons / m²', curves: areas.map((name, i) => ({label: name, column: `area${i}`, colour: css(category(i + 1))}))}] : []),
    ];
    this.reset();
    this.make();
    new ResizeObserver(() => this.resize()).observe(element);
  }

  get isComplete(): boolean { return this.complete; }
  values(column: string): number[] { return this.column(column); }

  /** All curves as a table for spreadsheets. */
  csv(): string {
    const curves = this.charts.flatMap(c => c.curves.map(k => ({name: `${c.title}: ${k.label} (${c.unit})`, values: this.column(k.column)})));
    const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const rows = this.column('time').map((t, i) => [t, ...curves.map(c => c.values[i])].map(v => Number(v.toFixed(4))).join(','));
    return [['time (s)', ...curves.map(c => quoted(c.name))].join(','), ...rows].join('\n') + '\n';
  }

  get rows(): number { return this.column('time').length; }
  value(column: Column, row: number): number { return this.column(column)[row]; }

  reset(): void {
    for (const name of ['time', ...this.charts.flatMap(c => c.curves.map(k => k.column))]) this.columns.set(name, []);
    this.complete = false;
  }

  /** Asks for rows that came since; a live run goes on and on. */
  async update(): Promise<void> {
    if (this.complete) return;
    const pack = await getPack(`api/series?first=${this.rows}`);
    if (pack.head.first !== this.rows) return this.reset();
    this.complete = pack.head.complete;
    for (const [name, values] of this.columns)
      if (pack.has(name)) values.push(...pack.f32(name));
      else values.push(...new Array(pack.f32('time').length).fill(0));
    this.charts.forEach(chart => chart.plot?.setData(this.dataOf(chart)));
  }

  setTime(time: number): void {
    if (Math.abs(time - this.time) < 0.05) return;
    this.time = time;
    for (const chart of this.charts) chart.plot?.redraw(false, false);
    this.shownRow();
  }

  /** Colours of axes follow the theme. */
  private shownRow(): void {
    const times = this.column('time');
    if (times.length === 0) return;
    let row = times.findIndex(t => t > this.time);
    row = row < 0 ? times.length - 1 : Math.max(0, row - 1);
    for (const chart of this.charts) if (chart.plot && chart.plot.cursor.idx === null) chart.plot.setLegend({idx: row}, false);
  }

  restyle(): void {
    this.charts.forEach(chart => chart.plot?.destroy());
    this.make();
  }

  private column(name: string): number[] { return this.columns.get(name) ?? []; }
  private dataOf(chart: Chart): uPlot.AlignedData { return [this.column('time'), ...chart.curves.map(c => this.column(c.column))] as uPlot.AlignedData; }

  private make(): void {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--ink-soft').trim(), grid = style.getPropertyValue('--line').trim();
    this.element.replaceChildren();
    for (const chart of this.charts) {
      const figure = document.createElement('figure');
      const caption = document.createElement('figcaption');
      caption.textContent = `${chart.title} (${chart.unit})`;
      const holder = document.createElement('div');
      figure.append(caption, holder);
      this.element.append(figure);
      const axis = {stroke: ink, grid: {stroke: grid, width: 1}, ticks: {stroke: grid, width: 1}, font: '11px system-ui, sans-serif'};
      chart.plot = new uPlot({
        width: this.width(), height: 116, legend: {show: true, live: true},
        scales: {x: {time: false}, y: {range: (_u, _low, high) => [0, Math.max(high * 1.1, 0.1)]}},
        axes: [{...axis, size: 26, incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200], values: (_u, ticks) => ticks.map(minutes)}, {...axis, size: 58}],
        series: [{label: 'at', value: (_u, v) => (v === null || v === undefined ? '–' : `${v.toFixed(0)} s`)}, ...chart.curves.map(c => ({label: c.label, stroke: c.colour, width: 1.5, points: {show: false}, value: (_u: uPlot, v: number | null) => (v === null || v === undefined ? '–' : Number(v.toFixed(v < 20 ? 2 : 0)).toString())}))],
        cursor: {sync: {key: 'throng'}, drag: {x: true, y: false, dist: 8}},
        hooks: {draw: [u => this.drawTime(u)]},
      }, this.dataOf(chart), holder);
      chart.plot.over.addEventListener('click', event => {
        const time = chart.plot!.posToVal(event.offsetX, 'x');
        if (Number.isFinite(time) && chart.plot!.select.width === 0) this.onSeek(time);
      });
      chart.plot.over.tabIndex = 0;
      chart.plot.over.setAttribute('role', 'slider');
      chart.plot.over.setAttribute('aria-label', `${chart.title}: arrow keys go through time`);
      chart.plot.over.addEventListener('keydown', event => {
        const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
        if (by === undefined) return;
        event.stopPropagation();
        event.preventDefault();
        this.onSeek(this.time + by);
      });
      figure.addEventListener('dblclick', () => figure.classList.toggle('large'));
    }
  }

  private drawTime(u: uPlot): void {
    const x = Math.round(u.valToPos(this.time, 'x', true));
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    u.ctx.save();
    u.ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  private width(): number { return Math.max(160, this.element.clientWidth - 4); }
  private resize(): void {
    for (const chart of this.charts) chart.plot?.setSize({width: this.width(), height: 116});
  }
}
