// What is asked of the server (src/server/view.hpp).
import {Pack, unpack} from './pack';

/** A number that people have (src/server/insights.hpp). */
export interface Figure {
  key: string;
  label: string;
  unit: string;
  full: number;
}

/** Something drawn over a floor (src/server/insights.hpp). */
export interface Mark {
  shape: 'line' | 'arrow' | 'area' | 'text';
  points: [number, number][];
  layer: number;
  colour: string;
  text: string;
  holes?: [number, number][][];  // of an area
}

export interface Session {
  mode: 'recording' | 'live' | 'environment';
  name: string;
  world_version: number;
  origin: [number, number];
  layers: string[];
  program?: string;
  seed?: number;
  frames?: number;
  frame_time?: number;
  duration?: number;
  speed?: number;
  paused?: boolean;
  finished?: boolean;
  time?: number;
  recorded_frame_time?: number;  // live: what was recorded so far can be asked for; 0: it cannot
  changes?: number;              // live: those that can be taken back
  can_edit?: boolean;
  people?: number;
  populations?: string[];
  profiles?: string[];
  goals?: string[];
  figures?: Figure[];            // live: numbers that people can be coloured by
  signs?: {x: number; y: number; layer: number}[];  // live
  ground_layers?: {key: string; label: string}[];  // live: what methods draw over the ground
  ground?: {types: string[]; weights: (number | null)[][]};  // live: by profile, what a metre of each type costs; null: never
  lines?: string[];
  areas?: string[];              // whose density is measured
  measured?: Mark[];              // lines and areas that the run measures, with their names
  events?: {time: number; kind: string; what: unknown}[];
  goal_places?: {id: string; label: string; x: number; y: number; layer: number}[];
  obstacles?: {id: string; layer: number; ring: [number, number][]}[];
}

async function fetched(path: string): Promise<globalThis.Response> {
  const response = await fetch(path);
  if (response.ok) return response;
  let what = `${response.status}`;
  try {
    what = (await response.json()).error ?? what;
  } catch { /* no JSON: the number has to do */ }
  throw new Error(what);
}

export async function getJson<T>(path: string): Promise<T> {
  return (await fetched(path)).json() as Promise<T>;
}

export async function getPack(path: string): Promise<Pack> {
  return unpack(await (await fetched(path)).arrayBuffer());
}

/** The socket: says when the connection drops, and tries again until it is back. */
export class Socket {
  private socket?: WebSocket;
  private wait = 500;
  onJson: (message: Record<string, unknown>) => void = () => {};
  onBinary: (bytes: ArrayBuffer) => void = () => {};
  onState: (connected: boolean) => void = () => {};

  open(): void {
    const socket = new WebSocket(new URL('socket', location.href).href.replace(/^http/, 'ws').replace(/[?#].*$/, ''));
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.wait = 500;
      this.onState(true);
    };
    socket.onmessage = event => {
      if (typeof event.data === 'string') this.onJson(JSON.parse(event.data));
      else this.onBinary(event.data as ArrayBuffer);
    };
    socket.onclose = () => {
      this.onState(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(5000, this.wait * 1.5);
    };
    this.socket = socket;
  }

  send(message: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
