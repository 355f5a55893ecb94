// What one sees as a file: a picture for paper with title, time, scale and legend, or a clip with its clock.
import type {Viewer} from './main';

const ink = (dark: boolean): string => (dark ? '#e6ebf0' : '#22303c');

/** Height of what stands above and below a picture of this width. */
export const frameHeight = (width: number): number => Math.round((84 * width) / 1280);

/** The window's picture, and around it what it needs to stand alone. */
export function decorate(viewer: Viewer, source: HTMLCanvasElement, context: CanvasRenderingContext2D, width: number, height: number, legend: boolean): void {
  const dark = viewer.store.state.theme === 'dark', unit = width / 1280, top = 44 * unit, foot = 40 * unit;
  context.fillStyle = dark ? '#14181d' : '#ffffff';
  context.fillRect(0, 0, width, height);
  const room = height - top - foot, scale = Math.min(width / source.width, room / source.height), w = source.width * scale, h = source.height * scale;
  context.drawImage(source, (width - w) / 2, top + (room - h) / 2, w, h);
  context.fillStyle = ink(dark);
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.font = `600 ${18 * unit}px system-ui, sans-serif`;
  context.fillText(viewer.session.name.replace(/\.(throng|json|geojson)$/, ''), 16 * unit, top / 2);
  context.textAlign = 'right';
  context.font = `${16 * unit}px system-ui, sans-serif`;
  const storey = viewer.storeyName();
  context.fillText([storey, viewer.frames ? `${viewer.time.toFixed(1)} s` : '', viewer.frames ? `${viewer.crowd.n} people` : ''].filter(Boolean).join(' · '), width - 16 * unit, top / 2);
  context.textAlign = 'left';
  context.font = `${13 * unit}px system-ui, sans-serif`;
  let x = 16 * unit;
  const y = height - foot / 2;
  if (viewer.cameras.view === 'plan') x = scaleBar(context, viewer, (w / source.width) * viewer.pixelRatio, x, y, unit, dark) + 24 * unit;
  if (legend) drawLegend(context, x, y, width - 16 * unit, unit, dark);
}

function scaleBar(context: CanvasRenderingContext2D, viewer: Viewer, scale: number, x: number, y: number, unit: number, dark: boolean): number {
  const camera = viewer.cameras.orthographic, pixels = (viewer.canvasHeight / ((camera.top - camera.bottom) / camera.zoom)) * scale;
  const wanted = (140 * unit) / pixels, power = 10 ** Math.floor(Math.log10(wanted)), metres = [5, 2, 1].map(f => f * power).find(m => m <= wanted) ?? power;
  context.strokeStyle = ink(dark);
  context.lineWidth = 1.5 * unit;
  context.beginPath();
  context.moveTo(x, y - 5 * unit);
  context.lineTo(x, y + 5 * unit);
  context.lineTo(x + metres * pixels, y + 5 * unit);
  context.lineTo(x + metres * pixels, y - 5 * unit);
  context.stroke();
  context.fillText(`${Number(metres.toPrecision(3))} m`, x + 6 * unit, y - 4 * unit);
  // North is up in the plan: y points there.
  const north = x + metres * pixels + 24 * unit;
  context.beginPath();
  context.moveTo(north, y + 8 * unit);
  context.lineTo(north, y - 8 * unit);
  context.lineTo(north - 4 * unit, y - 2 * unit);
  context.moveTo(north, y - 8 * unit);
  context.lineTo(north + 4 * unit, y - 2 * unit);
  context.stroke();
  context.fillText('y', north + 7 * unit, y);
  return north + 16 * unit;
}

/** The legend beside the picture, in one line. */
function drawLegend(context: CanvasRenderingContext2D, from: number, y: number, until: number, unit: number, dark: boolean): void {
  let x = from;
  for (const entry of document.querySelectorAll<HTMLElement>('#legend .legend-entry')) {
    const text = entry.textContent ?? '', w = context.measureText(text).width + 30 * unit;
    if (x + w > until) break;
    context.fillStyle = entry.querySelector<HTMLElement>('.swatch')!.style.background;
    context.beginPath();
    context.arc(x + 6 * unit, y, 6 * unit, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = ink(dark);
    context.fillText(text, x + 17 * unit, y);
    x += w;
  }
  for (const scale of document.querySelectorAll<HTMLElement>('#legend .scale')) {
    const w = 190 * unit, ticks = [...scale.querySelectorAll<HTMLElement>('.tick')], stops = /linear-gradient\(to right, (.*)\)$/.exec(scale.querySelector<HTMLElement>('.bar')!.style.background)?.[1];
    const what = `${scale.querySelector('.legend-title')?.textContent ?? ''} ${scale.querySelector('.unit')?.textContent?.split(';')[0] ?? ''}`.trim();
    if (!stops || x + w + context.measureText(what).width + 30 * unit > until) break;
    context.fillStyle = ink(dark);
    context.fillText(what, x, y);
    x += context.measureText(what).width + 14 * unit;
    const gradient = context.createLinearGradient(x, 0, x + w, 0);
    for (const stop of stops.matchAll(/(rgb\([^)]*\)) ([\d.]+)%/g)) gradient.addColorStop(Math.min(1, Number(stop[2]) / 100), stop[1]);
    context.fillStyle = gradient;
    context.fillRect(x, y - 10 * unit, w, 9 * unit);
    context.fillStyle = ink(dark);
    context.textAlign = 'center';
    context.font = `${11 * unit}px system-ui, sans-serif`;
    for (const tick of ticks) context.fillText(tick.textContent ?? '', x + (w * parseFloat(tick.style.left)) / 100, y + 8 * unit);
    context.textAlign = 'left';
    context.font = `${13 * unit}px system-ui, sans-serif`;
    x += w + 24 * unit;
  }
}

function download(blob: Blob, name: string): void {
  const link = Object.assign(document.createElement('a'), {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 2000);
}
const stem = (viewer: Viewer): string => `${viewer.session.name.replace(/\.(throng|json|geojson|dxf|osm)$/, '')}-${viewer.time.toFixed(1)}s`;

/** At print size: the scene is drawn anew, two to four times as large. */
export function savePicture(viewer: Viewer): void {
  const canvas = document.createElement('canvas');
  viewer.atScale(3, source => {
    canvas.width = source.width;
    canvas.height = source.height + frameHeight(source.width);
    decorate(viewer, source, canvas.getContext('2d')!, canvas.width, canvas.height, true);
  });
  canvas.toBlob(blob => { if (blob) download(blob, `${stem(viewer)}.png`); });
}

/** What one sees, from now until it is stopped, as WebM. */
export class Clip {
  private recorder: MediaRecorder | null = null;
  private readonly canvas = document.createElement('canvas');
  onChange: (running: boolean) => void = () => {};
  onDone: (blob: Blob) => void = blob => download(blob, `${stem(this.viewer)}.webm`);

  constructor(private readonly viewer: Viewer) {}

  get running(): boolean { return this.recorder !== null; }

  start(width = 1280, height = 800): void {
    this.canvas.width = width;
    this.canvas.height = height;
    this.frame();
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find(t => MediaRecorder.isTypeSupported(t));
    if (!type) return this.viewer.notice('This browser cannot record clips.', 5000);
    const parts: Blob[] = [], recorder = new MediaRecorder(this.canvas.captureStream(25), {mimeType: type, videoBitsPerSecond: 6e6});
    recorder.ondataavailable = event => parts.push(event.data);
    recorder.onstop = () => this.onDone(new Blob(parts, {type: 'video/webm'}));
    recorder.start(1000);
    this.recorder = recorder;
    this.onChange(true);
  }

  /** Called after every picture of the scene. */
  frame(): void {
    const context = this.canvas.getContext('2d')!;
    if (this.canvas.width > 300) decorate(this.viewer, this.viewer.canvas, context, this.canvas.width, this.canvas.height, true);
  }

  stop(): void {
    this.recorder?.stop();
    this.recorder = null;
    this.onChange(false);
  }
}
