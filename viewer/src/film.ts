// A clip without a window (`throng export RECORDING clip.webm`): the page is opened with ?film=1 and what is wanted, draws every picture at its time
// however long that takes, encodes it, and hands the file to the program that opened it (src/server/film_view.hpp).
import type {PresetName} from './cameras';
import type {Viewer} from './main';
import {decorate, frameHeight} from './picture';
import {Chunk, webm} from './webm';

interface Wanted {
  camera: string;
  from: number;
  until: number;
  speed: number;   // seconds of the run a second of the clip
  rate: number;    // pictures a second
  width: number;
  height: number;
}

const presets: readonly PresetName[] = ['overview', 'top', 'south', 'east', 'north', 'west'];
const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds));

export function filmWanted(query: URLSearchParams): Wanted | null {
  if (query.get('film') !== '1') return null;
  const number = (name: string, usual: number): number => (query.get(name) && Number.isFinite(Number(query.get(name))) ? Number(query.get(name)) : usual);
  const even = (value: number): number => 2 * Math.max(80, Math.min(2160, Math.round(value / 2)));
  return {camera: query.get('camera') ?? '', from: number('from', 0), until: number('until', Infinity), speed: number('speed', 1), rate: number('rate', 25), width: even(number('width', 1280)), height: even(number('height', 720))};
}

/** Makes the clip and sends it, or says why there is none. */
export async function film(viewer: Viewer, wanted: Wanted): Promise<void> {
  try {
    await send('film', await make(viewer, wanted));
  } catch (error) {
    await send('film-failed', new Blob([String((error as Error).message ?? error)]));
  }
}

async function send(what: string, body: Blob): Promise<void> {
  await fetch(`api/${what}`, {method: 'POST', body, headers: {'Content-Type': 'application/octet-stream'}});
}

async function prepare(viewer: Viewer, {camera, width, height}: Wanted): Promise<void> {
  document.body.classList.add('film');
  const stage = document.getElementById('stage')!;
  stage.style.width = `${width}px`;
  stage.style.height = `${height - frameHeight(width)}px`;
  await pause(300);  // the size is taken
  viewer.setPlaying(false);
  if (camera === 'plan') viewer.setView('plan'), viewer.preset('overview');
  else if (presets.includes(camera as PresetName)) viewer.setView('orbit'), viewer.preset(camera as PresetName);
}

async function arrived(viewer: Viewer, time: number): Promise<void> {
  viewer.seek(time);
  const end = performance.now() + 60_000;
  while (!viewer.frames?.at(time)) {
    if (performance.now() > end) throw new Error(`the frame at ${time.toFixed(2)} s does not come`);
    await pause(5);
  }
}

async function make(viewer: Viewer, wanted: Wanted): Promise<Blob> {
  const {frames} = viewer, {width, height, rate, speed} = wanted;
  if (!frames) throw new Error('there is nothing that moves');
  if (typeof VideoEncoder === 'undefined') throw new Error('this browser has no video encoder');
  const from = Math.min(wanted.from, frames.end), until = Math.min(wanted.until, frames.end);
  const count = Math.max(1, Math.floor(((until - from) / speed) * rate + 1e-6) + 1);
  await prepare(viewer, wanted);
  const chunks: Chunk[] = [];
  let wrong: Error | null = null;
  const encoder = new VideoEncoder({
    output: chunk => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      chunks.push({time: Math.round(chunk.timestamp / 1000), isKey: chunk.type === 'key', bytes});
    },
    error: error => { wrong = error; },
  });
  encoder.configure({codec: 'vp8', width, height, framerate: rate, bitrate: Math.round(8e6 * Math.max(0.2, (width * height) / (1280 * 720)))});
  const canvas = Object.assign(document.createElement('canvas'), {width, height}), context = canvas.getContext('2d')!;
  const began = performance.now() + 1e6;  // what is drawn now and then is drawn for every picture
  for (let k = 0; k < count && !wrong; ++k) {
    await arrived(viewer, Math.min(until, from + (k * speed) / rate));
    viewer.draw(began + 1000 * k);
    decorate(viewer, viewer.canvas, context, width, height, true);
    const picture = new VideoFrame(canvas, {timestamp: Math.round((k * 1e6) / rate), duration: Math.round(1e6 / rate)});
    encoder.encode(picture, {keyFrame: k % Math.max(1, Math.round(2 * rate)) === 0});
    picture.close();
    while (encoder.encodeQueueSize > 4 && !wrong) await pause(2);
    if (k % 20 === 0) void send('film-progress', new Blob([(k / count).toFixed(3)]));
  }
  if (!wrong) await encoder.flush();
  if (wrong) throw wrong as Error;
  return new Blob([webm({codec: 'V_VP8', width, height, duration: (1000 * count) / rate}, chunks) as BlobPart], {type: 'video/webm'});
}
