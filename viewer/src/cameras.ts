// The three ways to look: a plan from above, a scene to turn, and walking through it.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {Building} from './world';

export type ViewName = 'plan' | 'orbit' | 'walk';
export type PresetName = 'overview' | 'top' | 'south' | 'east' | 'north' | 'west';

const eyeHeight = 1.6, walkingSpeed = 2.5;

export class Cameras {
  view: ViewName = 'orbit';
  readonly perspective = new THREE.PerspectiveCamera(50, 1, 0.1, 20000);
  readonly orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, -5000, 20000);
  private readonly orbit: OrbitControls;
  private readonly pan: OrbitControls;
  private readonly keys = new Set<string>();
  private yaw = 0;
  private pitch = 0;
  private walkLayer = 0;
  onChange: () => void = () => {};
  /** Set where the user takes the camera: presets and following end. */
  onTaken: () => void = () => {};

  constructor(private readonly canvas: HTMLCanvasElement, private readonly building: Building) {
    this.perspective.up.set(0, 0, 1);
    this.orthographic.up.set(0, 1, 0);
    this.orbit = new OrbitControls(this.perspective, canvas);
    this.orbit.maxPolarAngle = Math.PI * 0.495;
    this.orbit.minDistance = 2;
    this.orbit.zoomToCursor = true;
    this.pan = new OrbitControls(this.orthographic, canvas);
    this.pan.enableRotate = false;
    this.pan.screenSpacePanning = true;
    this.pan.zoomToCursor = true;
    this.pan.mouseButtons = {LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN};
    this.pan.touches = {ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN};
    for (const controls of [this.orbit, this.pan]) {
      controls.addEventListener('change', () => this.onChange());
      controls.addEventListener('start', () => this.onTaken());
    }
    this.lookAround();
    this.preset('overview');
    this.setView('orbit');
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.view === 'plan' ? this.orthographic : this.perspective;
  }

  resize(width: number, height: number): void {
    this.perspective.aspect = width / height;
    this.perspective.updateProjectionMatrix();
    // All of it stays in a window that gets narrower.
    const half = Math.max(this.planHalf.y, (this.planHalf.x * height) / width) || 1;
    this.orthographic.top = half;
    this.orthographic.bottom = -half;
    this.orthographic.left = (-half * width) / height;
    this.orthographic.right = (half * width) / height;
    this.orthographic.updateProjectionMatrix();
  }

  setView(view: ViewName): void {
    const before = this.view;
    this.view = view;
    if (view === 'walk' && before !== 'walk') this.stepIn();
    if (view === 'orbit' && before === 'walk') this.preset('overview');
    else this.keepPlace(before, view);
    this.orbit.enabled = view === 'orbit';
    this.pan.enabled = view === 'plan';
    this.onChange();
  }

  /** The corners of what is shown, walls included. */
  private corners(): THREE.Vector3[] {
    const [x0, y0, x1, y1] = this.building.shownBox(), {low, high} = this.building.shownHeights();
    const corners: THREE.Vector3[] = [];
    for (const x of [x0, x1]) for (const y of [y0, y1]) for (const z of [low, high]) corners.push(new THREE.Vector3(x, y, z));
    return corners;
  }

  /** What is shown, from one of the sides, all of it in the window; in the plan it is fitted too. */
  preset(name: PresetName): void {
    const corners = this.corners(), box = new THREE.Box3().setFromPoints(corners), centre = box.getCenter(new THREE.Vector3());
    const from: Record<PresetName, [number, number, number]> = {overview: [-0.35, -0.75, 0.75], top: [0, -0.001, 1], south: [0, -1, 0.45],
                                                                east: [1, 0, 0.45], north: [0, 1, 0.45], west: [-1, 0, 0.45]};
    const back = new THREE.Vector3(...from[name]).normalize();
    const right = new THREE.Vector3(0, 0, 1).cross(back).normalize(), up = back.clone().cross(right);
    const tall = Math.tan((this.perspective.fov / 2) * (Math.PI / 180)) * 0.94, wide = tall * this.perspective.aspect;
    // So far away that every corner lies within the pyramid of what is seen.
    let distance = 3;
    for (const corner of corners) {
      const p = corner.clone().sub(centre), ahead = p.dot(back);
      distance = Math.max(distance, ahead + Math.abs(p.dot(right)) / wide, ahead + Math.abs(p.dot(up)) / tall);
    }
    this.perspective.position.copy(centre).addScaledVector(back, distance);
    this.orbit.target.copy(centre);
    this.orbit.maxDistance = 12 * distance;
    this.orbit.update();
    const [x0, y0, x1, y1] = this.building.shownBox(), aspect = this.perspective.aspect;
    const half = (Math.max(2, y1 - y0, (x1 - x0) / aspect) / 2) * 1.06;
    this.planHalf = {x: ((x1 - x0) / 2) * 1.06, y: half};
    this.orthographic.top = half;
    this.orthographic.bottom = -half;
    this.orthographic.zoom = 1;
    this.pan.minZoom = 0.1;
    this.pan.maxZoom = Math.max(4, (2 * half) / 1.5);
    this.orthographic.position.set(centre.x, centre.y, 1000);
    this.pan.target.set(centre.x, centre.y, 0);
    this.orthographic.left = -half * aspect;
    this.orthographic.right = half * aspect;
    this.orthographic.updateProjectionMatrix();
    this.pan.update();
    this.onChange();
  }
  private planHalf = {x: 1, y: 1};

  /** As numbers, for links and for a second window that is to look the same way. */
  get state(): number[] {
    const p = this.perspective.position, t = this.orbit.target, o = this.orthographic;
    return [p.x, p.y, p.z, t.x, t.y, t.z, o.position.x, o.position.y, (o.top - o.bottom) / o.zoom].map(v => Math.round(v * 1000) / 1000);
  }
  set state(n: number[]) {
    if (n.length !== 9 || n.some(v => !Number.isFinite(v)) || !(n[8] > 0)) return;
    this.perspective.position.set(n[0], n[1], n[2]);
    this.orbit.target.set(n[3], n[4], n[5]);
    this.orbit.update();
    this.orthographic.position.set(n[6], n[7], 1000);
    this.pan.target.set(n[6], n[7], 0);
    this.orthographic.zoom = (this.orthographic.top - this.orthographic.bottom) / n[8];
    this.orthographic.updateProjectionMatrix();
    this.pan.update();
    this.onChange();
  }
  copy(other: Cameras): void {
    if (this.view !== other.view && other.view !== 'walk') this.setView(other.view);
    const state = other.state;
    if (state.some((v, i) => Math.abs(v - this.state[i]) > 2e-3)) this.state = state;
  }

  /** By keys: nearer or farther, and about what is looked at. */
  zoomBy(factor: number): void {
    this.orthographic.zoom = Math.min(this.pan.maxZoom, Math.max(this.pan.minZoom, this.orthographic.zoom * factor));
    this.orthographic.updateProjectionMatrix();
    const away = this.perspective.position.clone().sub(this.orbit.target).divideScalar(factor);
    if (away.length() > this.orbit.minDistance && away.length() < this.orbit.maxDistance) this.perspective.position.copy(this.orbit.target).add(away);
    this.orbit.update();
    this.onTaken();
    this.onChange();
  }
  turnBy(radians: number): void {
    const away = this.perspective.position.clone().sub(this.orbit.target).applyAxisAngle(new THREE.Vector3(0, 0, 1), radians);
    this.perspective.position.copy(this.orbit.target).add(away);
    this.orbit.update();
    this.onTaken();
    this.onChange();
  }

  /** Looks at a place from nearer, for links and tests. */
  lookAt(x: number, y: number, z: number, distance: number): void {
    const away = this.perspective.position.clone().sub(this.orbit.target).normalize();
    this.orbit.target.set(x, y, z);
    this.perspective.position.copy(this.orbit.target).addScaledVector(away, distance);
    this.orbit.update();
    this.pan.target.set(x, y, 0);
    this.orthographic.position.set(x, y, 1000);
    this.orthographic.zoom = (this.orthographic.top - this.orthographic.bottom) / distance;
    this.orthographic.updateProjectionMatrix();
    this.pan.update();
    this.onChange();
  }

  /** What was looked at stays in the middle, about as near. */
  private keepPlace(from: ViewName, to: ViewName): void {
    if (from === 'plan' && to === 'orbit') {
      const {x, y} = this.orthographic.position, seen = (this.orthographic.top - this.orthographic.bottom) / this.orthographic.zoom;
      const by = new THREE.Vector3(x, y, this.orbit.target.z).sub(this.orbit.target);
      const away = this.perspective.position.clone().sub(this.orbit.target).setLength(Math.max(3, seen / (2 * Math.tan((this.perspective.fov / 2) * (Math.PI / 180)))));
      this.orbit.target.add(by);
      this.perspective.position.copy(this.orbit.target).add(away);
      this.orbit.update();
    } else if (from === 'orbit' && to === 'plan') {
      const {x, y} = this.orbit.target, distance = this.perspective.position.distanceTo(this.orbit.target);
      this.orthographic.position.set(x, y, 1000);
      this.pan.target.set(x, y, 0);
      this.orthographic.zoom = Math.min(this.pan.maxZoom, Math.max(this.pan.minZoom, (this.orthographic.top - this.orthographic.bottom) / (2 * distance * Math.tan((this.perspective.fov / 2) * (Math.PI / 180)))));
      this.orthographic.updateProjectionMatrix();
      this.pan.update();
    }
  }

  /** Keeps a person in the middle. */
  follow(x: number, y: number, z: number): void {
    if (this.view === 'walk') return;
    const by = new THREE.Vector3(x, y, z + 1).sub(this.orbit.target);
    this.orbit.target.add(by);
    this.perspective.position.add(by);
    this.orbit.update();
    this.pan.target.set(x, y, 0);
    this.orthographic.position.set(x, y, 1000);
    this.pan.update();
  }

  key(code: string, down: boolean): void {
    if (down) this.keys.add(code);
    else this.keys.delete(code);
  }
  releaseKeys(): void { this.keys.clear(); }

  /** Moves by the keys that are held; whether anything moved. */
  update(seconds: number): boolean {
    const forward = Number(this.keys.has('KeyW') || this.keys.has('ArrowUp')) - Number(this.keys.has('KeyS') || this.keys.has('ArrowDown'));
    const right = Number(this.keys.has('KeyD') || this.keys.has('ArrowRight')) - Number(this.keys.has('KeyA') || this.keys.has('ArrowLeft'));
    if (forward === 0 && right === 0) return false;
    this.onTaken();
    if (this.view === 'walk') this.walk(forward, right, seconds);
    else if (this.view === 'plan') this.slide(forward, right, seconds);
    else this.glide(forward, right, seconds);
    return true;
  }

  private slide(forward: number, right: number, seconds: number): void {
    const by = ((this.orthographic.top - this.orthographic.bottom) / this.orthographic.zoom) * 0.6 * seconds;
    this.pan.target.add(new THREE.Vector3(right * by, forward * by, 0));
    this.orthographic.position.add(new THREE.Vector3(right * by, forward * by, 0));
    this.pan.update();
  }

  private glide(forward: number, right: number, seconds: number): void {
    const ahead = this.orbit.target.clone().sub(this.perspective.position);
    const by = ahead.length() * 0.6 * seconds;
    ahead.setZ(0).normalize();
    const move = ahead.clone().multiplyScalar(forward * by).add(new THREE.Vector3(ahead.y, -ahead.x, 0).multiplyScalar(right * by));
    this.orbit.target.add(move);
    this.perspective.position.add(move);
    this.orbit.update();
  }

  /** Steps along the floor; walls stop, stairs lead up and down. */
  private walk(forward: number, right: number, seconds: number): void {
    const by = walkingSpeed * seconds * (this.keys.has('ShiftLeft') ? 3 : 1);
    const x = this.perspective.position.x + (Math.cos(this.yaw) * forward + Math.sin(this.yaw) * right) * by;
    const y = this.perspective.position.y + (Math.sin(this.yaw) * forward - Math.cos(this.yaw) * right) * by;
    const layer = this.building.layerAt(x, y, this.perspective.position.z - eyeHeight);
    if (layer < 0 || Math.abs(this.building.z(layer, x, y) - (this.perspective.position.z - eyeHeight)) > 1) return;
    this.walkLayer = layer;
    this.perspective.position.set(x, y, this.building.z(layer, x, y) + eyeHeight);
    this.aim();
  }

  /** Begins to walk where the camera looked, or at the nearest floor it finds. */
  private stepIn(): void {
    const target = this.orbit.target;
    let place: [number, number] | null = null;
    for (let r = 0; r < 60 && !place; r += 0.5)
      for (let k = 0; k < 16 && !place; ++k) {
        const x = target.x + r * Math.cos((k * Math.PI) / 8), y = target.y + r * Math.sin((k * Math.PI) / 8);
        if (this.building.layerAt(x, y, target.z) >= 0) place = [x, y];
      }
    const [x, y] = place ?? [target.x, target.y];
    this.walkLayer = Math.max(0, this.building.layerAt(x, y, target.z));
    const away = target.clone().sub(this.perspective.position);
    this.yaw = Math.atan2(away.y, away.x);
    this.pitch = 0;
    this.perspective.position.set(x, y, this.building.z(this.walkLayer, x, y) + eyeHeight);
    this.aim();
  }

  private aim(): void {
    const p = this.perspective.position;
    this.perspective.lookAt(p.x + Math.cos(this.yaw) * Math.cos(this.pitch), p.y + Math.sin(this.yaw) * Math.cos(this.pitch), p.z + Math.sin(this.pitch));
    this.onChange();
  }

  private lookAround(): void {
    let last: {x: number; y: number} | null = null;
    this.canvas.addEventListener('pointerdown', e => { if (this.view === 'walk') last = {x: e.clientX, y: e.clientY}; });
    addEventListener('pointerup', () => { last = null; });
    addEventListener('pointermove', e => {
      if (!last || this.view !== 'walk') return;
      this.yaw += (e.clientX - last.x) * 0.004;
      this.pitch = Math.max(-1.2, Math.min(1.2, this.pitch + (e.clientY - last.y) * 0.004));
      last = {x: e.clientX, y: e.clientY};
      this.aim();
    });
  }
}
