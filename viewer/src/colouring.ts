// Which colour everybody has now, and what the legend says about it.
import {byClearance, byDensity, byHeat, byPart, bySpeed, category, css, fullDensity, fullSpeed, movingColour, Rgb, standingColour} from './colours';
import {Crowd} from './crowd';
import {localDensities} from './density';
import {Agents, Frames} from './frames';
import type {Session} from './api';

/** Or the key of a figure that the run offers (Session.figures). */
export type ColourMode = 'profile' | 'population' | 'goal' | 'speed' | 'density' | 'standing' | `figure:${string}`;

export const figureOf = (mode: ColourMode): string | null => mode.startsWith('figure:') ? mode.slice('figure:'.length) : null;

/** Who moved less than this in that time, though present all along, stands: waits, queues, or is stuck (which live runs tell as a figure). */
const standingSeconds = 10, standingMetres = 0.5;

/** What the squares of the heat map mean. */
export function heatLegend(): HTMLElement {
  const box = scale(byHeat, fullDensity, 'persons/m²');
  box.prepend(Object.assign(document.createElement('div'), {textContent: 'Heat map', className: 'legend-title'}));
  return box;
}

export class Colouring {
  mode: ColourMode = 'profile';
  colours = new Float32Array(0);
  /** Densities are not those of the moment shown: another picture is to follow. */
  stale = false;
  standing = 0;
  /** Where the scale of the figure shown ends. */
  fullFigure = 1;
  private density = new Float32Array(0);  // by serial
  private measured = {at: -Infinity, took: 0};

  constructor(private readonly agents: Agents) {}

  /** Three numbers for each person of the crowd. */
  update(crowd: Crowd, frames: Frames, selected: number): Float32Array {
    if (this.colours.length < 3 * crowd.n) {
      this.colours = new Float32Array(Math.ceil(3.75 * crowd.n) + 48);
    }
    const put = (i: number, c: Rgb): void => this.put(i, c);
    this.stale = this.mode === 'density' && !this.measureDensity(crowd);
    if (this.mode === 'standing') this.markStanding(crowd, frames);
    const key = figureOf(this.mode), values = key === null ? undefined : crowd.frame?.figures?.get(key);
    for (let i = 0; i < crowd.n; ++i) {
      const serial = crowd.serial[i];
      if (key !== null) put(i, values && !Number.isNaN(values[i]) ? byPart(values[i] / this.fullFigure) : movingColour);
      else if (this.mode === 'profile') put(i, category(this.agents.profile[serial]));
      else if (this.mode === 'population') put(i, category(this.agents.population[serial]));
      else if (this.mode === 'goal') put(i, category(crowd.frame?.goal ? crowd.frame.goal[i] : this.agents.goal[serial]));
      else if (this.mode === 'speed') put(i, bySpeed(crowd.speed[i]));
      else if (this.mode === 'density') put(i, byDensity(this.density[serial]));
      if (serial === selected) put(i, [1, 0.1, 0.75]);
    }
    return this.colours;
  }

  /** At most a fifth of the time goes into densities, however many people there are; whether they are those of now. */
  private measureDensity(crowd: Crowd): boolean {
    const start = performance.now();
    if (start - this.measured.at < 4 * this.measured.took) return false;
    const densities = new Float32Array(crowd.n), last = crowd.n > 0 ? crowd.serial[crowd.n - 1] : 0;
    localDensities(crowd.n, crowd.x, crowd.y, crowd.layer, densities);
    if (this.density.length <= last) this.density = new Float32Array(Math.ceil(1.25 * last) + 16);
    for (let i = 0; i < crowd.n; ++i) this.density[crowd.serial[i]] = densities[i];
    this.measured = {at: performance.now(), took: performance.now() - start};
    return true;
  }

  private markStanding(crowd: Crowd, frames: Frames): void {
    const before = crowd.time - standingSeconds >= frames.start ? frames.near(crowd.time - standingSeconds) : null;
    let j = 0;
    this.standing = 0;
    for (let i = 0; i < crowd.n; ++i) {
      while (before && j < before.serial.length && before.serial[j] < crowd.serial[i]) ++j;
      const known = before && j < before.serial.length && before.serial[j] === crowd.serial[i];
      const stands = known && Math.hypot(before.x[j] - crowd.x[i], before.y[j] - crowd.y[i]) < standingMetres;
      if (stands) ++this.standing;
      this.put(i, stands ? standingColour : movingColour);
    }
  }

  private put(i: number, c: Rgb): void {
    this.colours[3 * i] = c[0];
    this.colours[3 * i + 1] = c[1];
    this.colours[3 * i + 2] = c[2];
  }

  legend(session: Session): HTMLElement[] {
    const key = figureOf(this.mode), figure = session.figures?.find(f => f.key === key);
    if (key !== null) return figure ? [scale(value => byPart(value / figure.full), figure.full, figure.unit, undefined, undefined, ''), entry(movingColour, 'none now')] : [entry(movingColour, 'not known here')];
    if (this.mode === 'speed') return [scale(bySpeed, fullSpeed, 'm/s')];
    if (this.mode === 'density') return [scale(byDensity, fullDensity, 'persons/m²')];
    if (this.mode === 'standing') return [entry(standingColour, `moved under ${standingMetres} m in ${standingSeconds} s`), entry(movingColour, 'moving')];
    const names = (this.mode === 'profile' ? session.profiles : this.mode === 'population' ? session.populations : session.goals) ?? [];
    const shown = names.slice(0, 14).map((name, i) => entry(category(i), name));
    if (names.length > 14) shown.push(entry([0.6, 0.6, 0.6], `and ${names.length - 14} more`));
    return shown;
  }
}

function entry(colour: Rgb, text: string): HTMLElement {
  const line = document.createElement('div');
  line.className = 'legend-entry';
  const swatch = document.createElement('span');
  swatch.className = 'swatch';
  swatch.style.background = css(colour);
  line.append(swatch, text);
  return line;
}

/** How wide free space is: the square root of the clearance, so that what is narrow is told apart. */
export function clearanceLegend(widest: number): HTMLElement {
  const box = scale(metres => byClearance(metres, widest), widest, 'm', v => Math.sqrt(v / widest), [0, 0.5, 1, 2, 5, 10, 20, 50].filter(v => v < 0.85 * widest).concat(widest));
  box.prepend(Object.assign(document.createElement('div'), {textContent: 'Clearance: distance to the nearest wall', className: 'legend-title'}));
  return box;
}

/** A bar with its numbers where they are: `at` says how far along (0 to 1) a value is. */
function scale(colourOf: (value: number) => Rgb, full: number, unit: string, at: (value: number) => number = v => v / full, ticks = [0, full / 4, full / 2, (3 * full) / 4, full], beyond = `; darker and more beyond ${Number(full.toFixed(2))}`): HTMLElement {
  const box = document.createElement('div');
  box.className = 'scale';
  const bar = document.createElement('div');
  bar.className = 'bar';
  const values = Array.from({length: 41}, (_, i) => (full * i * i) / 1600);
  bar.style.background = `linear-gradient(to right, ${values.map(v => `${css(colourOf(v))} ${(100 * at(v)).toFixed(2)}%`).join(', ')})`;
  const ends = document.createElement('div');
  ends.className = 'ends';
  ends.append(...ticks.map(value => {
    const tick = Object.assign(document.createElement('span'), {textContent: Number(value.toFixed(2)).toString(), className: 'tick'});
    tick.style.left = `${100 * at(value)}%`;
    tick.dataset.value = String(value);
    return tick;
  }));
  box.append(bar, ends, Object.assign(document.createElement('div'), {className: 'unit', textContent: unit + beyond}));
  return box;
}
