// Everybody at the moment that is shown: places between two frames, headings, speeds, in columns that are used again.
import {Agents, Frame, Moment} from './frames';
import {Building} from './world';

const room = (n: number): number => Math.ceil(n * 1.25) + 16;

export class Crowd {
  n = 0;
  time = 0;
  serial = new Uint32Array(0);
  x = new Float32Array(0);
  y = new Float32Array(0);
  z = new Float32Array(0);
  layer = new Uint16Array(0);
  heading = new Float32Array(0);
  speed = new Float32Array(0);
  shown = new Uint8Array(0);
  frame: Frame | null = null;  // the one whose people these are
  private lastHeading = new Float32Array(0);  // by serial: who stands keeps looking where they did
  private walked = new Float32Array(0);       // by serial: metres, for the gait
  private lastTime = 0;

  /** Sets everybody to a moment: those of its first frame, or of its second once that is reached. */
  set({a, b, mix}: Moment, building: Building, agents: Agents): void {
    const reached = mix > 0.999;
    const base = reached ? b : a, other = reached ? a : b;
    this.reserve(base.serial.length, Math.max(agents.last, base.serial[base.serial.length - 1] ?? 0) + 1);
    const dt = b.time - a.time;
    this.time = a.time + mix * dt;
    const passed = Math.min(1, Math.abs(this.time - this.lastTime));
    this.lastTime = this.time;
    this.frame = base;
    this.n = base.serial.length;
    const {levels, visible} = building;
    let j = 0;
    for (let i = 0; i < this.n; ++i) {
      const serial = base.serial[i];
      while (j < other.serial.length && other.serial[j] < serial) ++j;
      const there = j < other.serial.length && other.serial[j] === serial;
      // The way from the first frame to the second.
      const sign = reached ? -1 : 1;
      const dx = there ? sign * (other.x[j] - base.x[i]) : 0, dy = there ? sign * (other.y[j] - base.y[i]) : 0;
      const moved = Math.sqrt(dx * dx + dy * dy);
      const far = moved > 20;  // taken elsewhere, not walked
      const m = far || reached ? 0 : mix;
      this.serial[i] = serial;
      this.x[i] = base.x[i] + m * dx;
      this.y[i] = base.y[i] + m * dy;
      const layer = there && m > 0.5 ? other.layer[j] : base.layer[i];
      this.layer[i] = layer;
      const level = levels[layer] ?? 0;
      this.z[i] = Number.isNaN(level) ? building.z(layer, this.x[i], this.y[i]) : level;
      this.shown[i] = visible[layer] ?? 1;
      const speed = dt > 0 && !far ? moved / dt : 0;
      this.speed[i] = speed;
      if (base.heading) this.lastHeading[serial] = turned(base.heading[i], there && other.heading ? other.heading[j] : base.heading[i], m);
      else if (speed > 0.15) this.lastHeading[serial] = Math.atan2(dy, dx);
      this.heading[i] = this.lastHeading[serial];
      this.walked[serial] += speed * passed;
    }
  }

  clear(): void {
    this.n = 0;
    this.frame = null;
  }

  walkedBy(serial: number): number { return this.walked[serial] ?? 0; }

  indexOf(serial: number): number {
    let low = 0, high = this.n - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (this.serial[middle] === serial) return middle;
      if (this.serial[middle] < serial) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  private reserve(n: number, serials: number): void {
    if (n > this.serial.length) {
      const size = room(n);
      this.serial = new Uint32Array(size);
      this.x = new Float32Array(size);
      this.y = new Float32Array(size);
      this.z = new Float32Array(size);
      this.layer = new Uint16Array(size);
      this.heading = new Float32Array(size);
      this.speed = new Float32Array(size);
      this.shown = new Uint8Array(size);
    }
    if (serials > this.lastHeading.length) {
      const grown = (old: Float32Array): Float32Array => {
        const fresh = new Float32Array(room(serials));
        fresh.set(old);
        return fresh;
      };
      this.lastHeading = grown(this.lastHeading);
      this.walked = grown(this.walked);
    }
  }
}

function turned(from: number, to: number, mix: number): number {
  let by = (to - from) % (2 * Math.PI);
  if (by > Math.PI) by -= 2 * Math.PI;
  if (by < -Math.PI) by += 2 * Math.PI;
  return from + mix * by;
}
