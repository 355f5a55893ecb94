// Colours of people, grounds and scales. Categories are told apart by those with colour-blind eyes too (after Okabe and Ito, and Tol).

export type Rgb = [number, number, number];

const hex = (text: string): Rgb => [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16) / 255) as Rgb;

const categories = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8c6bb1', '#999933', '#882255',
                    '#44aa99', '#6f5b3e', '#b7410e'].map(hex);

/** Of those not known yet: the first. */
export const category = (i: number | undefined): Rgb => categories[(i || 0) % categories.length];

const speedScale = steps(['#b2182b', '#e8825d', '#d9c7a0', '#7fb5d5', '#2166ac'].map(hex));
const densityScale = steps(['#2166ac', '#67a9cf', '#d9ef8b', '#fdae61', '#d73027', '#67001f'].map(hex));
// Of no category's colour (after magma): whoever stands on it is told apart from it.
const heatScale = steps(['#fcfdbf', '#fbb1a0', '#f1605d', '#b5367a', '#641a80', '#1d1147'].map(hex));
const clearanceScale = steps(['#f7fcf0', '#ccebc5', '#7bccc4', '#2b8cbe', '#084081'].map(hex));

/** A scale in steps that nobody sees: everybody looks up theirs in every picture. */
function steps(scale: Rgb[]): Rgb[] {
  return Array.from({length: 256}, (_, step) => {
    const at = Math.min(0.9999, step / 255) * (scale.length - 1);
    const i = Math.floor(at), f = at - i;
    return [0, 1, 2].map(k => scale[i][k] * (1 - f) + scale[i + 1][k] * f) as Rgb;
  });
}
const along = (scale: Rgb[], t: number): Rgb => scale[Math.round(255 * Math.min(1, Math.max(0, t)))];

export const fullSpeed = 2, fullDensity = 5;
export const bySpeed = (metresASecond: number): Rgb => along(speedScale, metresASecond / fullSpeed);
export const byDensity = (personsASquareMetre: number): Rgb => along(densityScale, personsASquareMetre / fullDensity);
/** Of any figure: 0 to 1. */
export const byPart = (part: number): Rgb => along(densityScale, part);
export const byHeat = (personsASquareMetre: number): Rgb => along(heatScale, personsASquareMetre / fullDensity);
export const byClearance = (metres: number, widest: number): Rgb => along(clearanceScale, Math.sqrt(Math.max(0, metres) / Math.max(0.1, widest)));
/** The scale of clearances as a row of pixels, for the shader that looks them up. */
export const clearanceRow = (): Uint8Array => Uint8Array.from(clearanceScale.flatMap(c => [...c.map(v => Math.round(255 * v)), 255]));
export const standingColour = hex('#d7191c'), movingColour = hex('#9aa5b1');

export const css = (c: Rgb): string => `rgb(${c.map(v => Math.round(v * 255)).join(', ')})`;

const terrain: Record<string, string> = {grass: '#b9d8a0', road: '#c4c4cc', water: '#a9cbe6', sidewalk: '#e4ddcf', crossing: '#eee6b8',
                                         sand: '#eadfb0', gravel: '#d6cfc0', plaza: '#e9e0cd', path: '#e6dcc3'};
export function terrainColour(type: string): Rgb {
  if (type in terrain) return hex(terrain[type]);
  let hash = 0;
  for (const c of type) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  const base = category(hash);
  return base.map(v => 0.84 + 0.14 * v) as Rgb;
}

export interface Theme {
  background: Rgb;
  floor: Rgb;
  floorEdge: Rgb;
  stairs: Rgb;
  wall: Rgb;
  wallTop: Rgb;
  ink: Rgb;
}

export const themes: Record<'light' | 'dark', Theme> = {
  light: {background: hex('#eef1f4'), floor: hex('#fbfaf7'), floorEdge: hex('#8b95a1'), stairs: hex('#efe6d4'),
          wall: hex('#b8c0ca'), wallTop: hex('#6f7a88'), ink: hex('#22303c')},
  dark: {background: hex('#14181d'), floor: hex('#29313a'), floorEdge: hex('#66727f'), stairs: hex('#3a3d38'),
         wall: hex('#4d5967'), wallTop: hex('#8593a3'), ink: hex('#e6ebf0')},
};
