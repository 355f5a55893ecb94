// Who was where at which time: frames of a recording, fetched in chunks about the time that is shown, or the last minutes of a live run.
import {getPack} from './api';
import {Pack} from './pack';

export interface Frame {
  time: number;
  serial: Uint32Array;  // ascending
  x: Float32Array;
  y: Float32Array;
  layer: Uint16Array;
  heading?: Float32Array;   // live: radians
  goal?: Uint16Array;       // live: the goal they walk to now
  activity?: Uint8Array;    // live
  figures?: Map<string, Float32Array>;  // live: those asked for, by key; not a number where somebody has none
}

/** Two frames about a time, and how far it lies between them. */
export interface Moment {
  a: Frame;
  b: Frame;
  mix: number;
}

export interface Frames {
  readonly start: number;
  readonly end: number;
  readonly frameTime: number;
  /** Nothing while it is on its way. */
  at(time: number): Moment | null;
  /** A frame near a time, where it is at hand; asks for it where not. */
  near(time: number): Frame | null;
}

/** A recording. Chunks are dropped again, those longest not looked at first. */
export class RecordedFrames implements Frames {
  readonly start = 0;
  readonly end: number;
  private readonly chunks = new Map<number, Frame[]>();
  private readonly asked = new Set<number>();
  private readonly size: number;
  private readonly most: number;
  lastFetchMs = 0;
  onLoad: () => void = () => {};
  onError: (what: string) => void = () => {};

  constructor(private readonly count: number, readonly frameTime: number, people: number) {
    this.end = (count - 1) * frameTime;
    // About a second of frames at once, fewer where there are very many people; 400 MB are kept at most.
    this.size = Math.max(2, Math.min(100, Math.round(1 / frameTime), Math.floor(2e6 / Math.max(1, people))));
    this.most = Math.max(8, Math.floor(4e8 / (14 * this.size * Math.max(1, people))));
  }

  at(time: number): Moment | null {
    const at = Math.min(this.count - 1, Math.max(0, time / this.frameTime));
    const i = Math.min(Math.floor(at + 1e-6), Math.max(0, this.count - 2));
    const a = this.frame(i), b = this.count > 1 ? this.frame(i + 1) : a;
    this.ask(Math.min(Math.floor(i / this.size) + 1, Math.floor((this.count - 1) / this.size)));  // what comes next
    return a && b ? {a, b, mix: Math.min(1, Math.max(0, at - i))} : null;
  }

  near(time: number): Frame | null {
    return this.frame(Math.min(this.count - 1, Math.max(0, Math.round(time / this.frameTime))));
  }

  get length(): number { return this.count; }

  private frame(i: number): Frame | null {
    const number = Math.floor(i / this.size);
    const chunk = this.chunks.get(number);
    if (!chunk) {
      this.ask(number);
      return null;
    }
    this.chunks.delete(number);  // put last: the first are the ones to drop
    this.chunks.set(number, chunk);
    return chunk[i - number * this.size] ?? null;
  }

  private ask(number: number): void {
    if (this.chunks.has(number) || this.asked.has(number)) return;
    this.asked.add(number);
    const start = performance.now();
    this.load(number)
      .then(chunk => {
        this.lastFetchMs = performance.now() - start;
        this.chunks.set(number, chunk);
        for (const old of this.chunks.keys()) {
          if (this.chunks.size <= this.most) break;
          this.chunks.delete(old);
        }
        this.onLoad();
      })
      .catch(error => this.onError(String(error.message ?? error)))
      .finally(() => setTimeout(() => this.asked.delete(number), this.chunks.has(number) ? 0 : 1000));
  }

  private async load(number: number): Promise<Frame[]> {
    const first = number * this.size, frames: Frame[] = [];
    const wanted = Math.min(this.size, this.count - first);
    while (frames.length < wanted)
      frames.push(...framesOf(await getPack(`api/frames?first=${first + frames.length}&count=${wanted - frames.length}`)));
    return frames;
  }
}

function framesOf(pack: Pack): Frame[] {
  const time = pack.f64('time'), begin = pack.u32('begin');
  const serial = pack.u32('serial'), x = pack.f32('x'), y = pack.f32('y'), layer = pack.u16('layer');
  return Array.from(time, (t, i) => {
    const from = begin[i], to = begin[i + 1];
    return {time: t, serial: serial.subarray(from, to), x: x.subarray(from, to), y: y.subarray(from, to),
            layer: layer.subarray(from, to)};
  });
}

/** A run that goes on: frames as they come, the last minutes kept. */
export class LiveFrames implements Frames {
  private readonly frames: Frame[] = [];
  private bytes = 0;
  frameTime = 0.1;

  get start(): number { return this.frames[0]?.time ?? 0; }
  get end(): number { return this.frames[this.frames.length - 1]?.time ?? 0; }
  get length(): number { return this.frames.length; }

  add(pack: Pack): void {
    const frame: Frame = {time: pack.head.time, serial: pack.u32('serial'), x: pack.f32('x'), y: pack.f32('y'),
                          layer: pack.u16('layer'), heading: pack.f32('heading'), goal: pack.u16('goal'),
                          activity: pack.u8('activity'), figures: figuresOf(pack)};
    const last = this.frames[this.frames.length - 1];
    if (last && frame.time < last.time) this.clear();
    if (last && frame.time === last.time) this.frames.pop();
    else if (last) this.frameTime = Math.max(0.01, frame.time - last.time);
    this.frames.push(frame);
    this.bytes += frame.serial.length * 21;
    while (this.bytes > 4e8 && this.frames.length > 2) this.bytes -= this.frames.shift()!.serial.length * 21;
  }

  clear(): void {
    this.frames.length = 0;
    this.bytes = 0;
  }

  at(time: number): Moment | null {
    const n = this.frames.length;
    if (n === 0) return null;
    let i = this.before(time);
    if (i >= n - 1) i = Math.max(0, n - 2);
    const a = this.frames[i], b = this.frames[Math.min(n - 1, i + 1)];
    const span = b.time - a.time;
    return {a, b, mix: span > 0 ? Math.min(1, Math.max(0, (time - a.time) / span)) : 1};
  }

  near(time: number): Frame | null {
    if (this.frames.length === 0 || time < this.start - 0.5) return null;
    return this.frames[this.before(time)];
  }

  /** The last frame at or before a time. */
  private before(time: number): number {
    let low = 0, high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle].time <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const figurePrefix = 'figure ';
function figuresOf(pack: Pack): Map<string, Float32Array> {
  return new Map(pack.names.filter(name => name.startsWith(figurePrefix)).map(name => [name.slice(figurePrefix.length), pack.f32(name)]));
}

/** A live run with its past: what this page saw since it was opened, and before that what the server recorded. */
export class LiveHistory implements Frames {
  readonly live = new LiveFrames();
  private recorded: RecordedFrames | null = null;

  /** `frameTime` of the recording; 0: there is none. */
  constructor(private readonly recordedTime: number, private readonly people: number, private readonly onLoad: () => void) {}

  get start(): number { return this.recordedTime > 0 ? 0 : this.live.start; }
  get end(): number { return this.live.end; }
  get frameTime(): number { return this.live.frameTime; }
  add(pack: Pack): void { this.live.add(pack); }

  at(time: number): Moment | null {
    return time >= this.live.start - 1e-9 || !this.past() ? this.live.at(time) : this.past()!.at(time) ?? null;
  }
  near(time: number): Frame | null {
    return time >= this.live.start - 1e-9 || !this.past() ? this.live.near(time) : this.past()!.near(time);
  }

  /** Frames before the first that came over the socket. */
  private past(): RecordedFrames | null {
    if (this.recordedTime <= 0 || this.live.length === 0) return null;
    const count = Math.floor(this.live.start / this.recordedTime + 1e-6) + 1;
    if (!this.recorded || this.recorded.length !== count) {
      this.recorded = new RecordedFrames(count, this.recordedTime, this.people);
      this.recorded.onLoad = this.onLoad;
    }
    return this.recorded;
  }
}

/** What is known of people beside where they are, by serial. */
export class Agents {
  population = new Uint16Array(0);
  profile = new Uint16Array(0);
  goal = new Uint16Array(0);
  radius = new Float32Array(0);
  appears = new Float32Array(0);
  leaves = new Float32Array(0);
  last = 0;

  take(pack: Pack): void {
    const serial = pack.u32('serial');
    if (serial.length === 0) return;
    const last = serial[serial.length - 1];
    if (last >= this.population.length) this.grow(Math.max(last + 1, Math.floor(this.population.length * 1.5)));
    const [population, profile, goal] = [pack.u16('population'), pack.u16('profile'), pack.u16('goal')];
    const [radius, appears, leaves] = [pack.f32('radius'), pack.f32('appears'), pack.f32('leaves')];
    serial.forEach((s, i) => {
      this.population[s] = population[i];
      this.profile[s] = profile[i];
      this.goal[s] = goal[i];
      this.radius[s] = radius[i];
      this.appears[s] = appears[i];
      this.leaves[s] = leaves[i];
    });
    this.last = Math.max(this.last, last);
  }

  private grow(size: number): void {
    const more = <T extends Uint16Array | Float32Array>(old: T, fresh: T): T => (fresh.set(old as never), fresh);
    this.population = more(this.population, new Uint16Array(size));
    this.profile = more(this.profile, new Uint16Array(size));
    this.goal = more(this.goal, new Uint16Array(size));
    this.radius = more(this.radius, new Float32Array(size).fill(0.24));
    this.appears = more(this.appears, new Float32Array(size));
    this.leaves = more(this.leaves, new Float32Array(size));
  }
}
