// What methods draw: about the chosen person (velocities, who counts, places) and over the ground (queues, signs, companions), as the server describes it
// (src/server/insights.hpp). Nothing here knows any method by name.
import * as THREE from 'three';
import {getJson, Mark} from './api';
import {drawnLines, screenLabel} from './overlays';
import {Building} from './world';

/** Metres above the floor; of arrows the length and half the width of their heads, at most. */
const above = 0.12, headLength = 0.22, headWidth = 0.1;
/** Milliseconds between two looks at what changes. */
const pace = 500;

type Place = [number, number, number];

export class Marks {
  readonly group = new THREE.Group();
  private readonly shown = new Map<string, {marks: Mark[]; object: THREE.Object3D}>();
  private keys: readonly string[] = [];
  private asked = 0;
  onChange: () => void = () => {};

  constructor(private readonly building: Building) {}

  /** Keys of the session's `ground_layers`. */
  show(keys: readonly string[]): void {
    for (const key of this.keys) if (!keys.includes(key)) this.remove(`ground ${key}`);
    this.keys = keys;
    this.asked = 0;
    this.refresh(performance.now());
  }

  /** Asks again for what is on; called while the run goes on. */
  refresh(now: number): void {
    if (this.keys.length === 0 || now - this.asked < pace) return;
    this.asked = now;
    for (const key of this.keys) void this.fetch(key);
  }

  private async fetch(key: string): Promise<void> {
    try {
      const {marks} = await getJson<{marks: Mark[]}>(`api/marks?key=${encodeURIComponent(key)}`);
      if (this.keys.includes(key)) this.put(`ground ${key}`, marks);
    } catch { /* not in this run, or the connection is lost, which is told elsewhere */ }
  }

  /** Marks of one's own, by a name; none: they go. */
  keep(name: string, marks: Mark[]): void { this.put(`own ${name}`, marks); }

  showPerson(serial: number, marks: Mark[]): void { this.put(`person ${serial}`, marks); }
  /** Those about anybody else go. */
  keepPersons(...serials: number[]): void {
    const kept = serials.map(serial => `person ${serial}`);
    for (const name of [...this.shown.keys()]) if (name.startsWith('person ') && !kept.includes(name)) this.remove(name);
    this.onChange();
  }

  /** Storeys were lifted or hidden. */
  rebuild(): void {
    for (const [name, {marks}] of [...this.shown]) this.put(name, marks);
  }

  /** How many methods draw: for tests. */
  get count(): number { return [...this.shown].reduce((sum, [name, {marks}]) => sum + (name.startsWith('own ') ? 0 : marks.length), 0); }

  fitLabels(camera: THREE.Camera): void {
    const flat = camera instanceof THREE.OrthographicCamera;
    for (const {object} of this.shown.values())
      for (const child of object.children)
        if (child instanceof THREE.Sprite) {
          const height = flat ? (0.026 * (camera.top - camera.bottom)) / camera.zoom : 0.024;
          child.scale.set((height * child.userData.screen[0]) / child.userData.screen[1], height, 1);
        }
  }

  private remove(name: string): void {
    const old = this.shown.get(name);
    if (!old) return;
    this.group.remove(old.object);
    old.object.traverse(part => {
      (part as THREE.Mesh).geometry?.dispose();
      const material = (part as THREE.Mesh).material as THREE.Material & {map?: THREE.Texture} | undefined;
      material?.map?.dispose();
      material?.dispose?.();
    });
    this.shown.delete(name);
  }

  private put(name: string, marks: Mark[]): void {
    this.remove(name);
    if (marks.length === 0) return this.onChange();
    const object = this.draw(marks.filter(mark => mark.points.length > 0 && this.building.isShown(mark.layer)));
    this.group.add(object);
    this.shown.set(name, {marks, object});
    this.onChange();
  }

  private draw(marks: Mark[]): THREE.Object3D {
    const group = new THREE.Group(), position: number[] = [], colours: number[] = [];
    const segment = (a: Place, b: Place, colour: THREE.Color): void => {
      position.push(...a, ...b);
      colours.push(colour.r, colour.g, colour.b, colour.r, colour.g, colour.b);
    };
    for (const mark of marks) {
      const colour = new THREE.Color(mark.colour), at = ([x, y]: [number, number]): Place => [x, y, this.building.z(mark.layer, x, y) + above];
      const places = mark.points.map(at);
      for (let i = 1; mark.shape !== 'text' && i < places.length; ++i) segment(places[i - 1], places[i], colour);
      if (mark.shape === 'area') {
        if (places.length > 2) segment(places[places.length - 1], places[0], colour);
        for (const hole of mark.holes ?? []) {
          const ring = hole.map(at);
          for (let i = 0; i < ring.length; ++i) segment(ring[i], ring[(i + 1) % ring.length], colour);
        }
        group.add(this.filled(mark, colour));
      }
      if (mark.shape === 'arrow' && places.length > 1) this.head(places[places.length - 2], places[places.length - 1], (a, b) => segment(a, b, colour));
      if (mark.text) group.add(screenLabel(mark.text, places[places.length - 1], mark.colour));
    }
    if (position.length > 0) group.add(drawnLines(position, colours, 2.5));
    return group;
  }

  private head([ax, ay]: Place, [bx, by, bz]: Place, segment: (a: Place, b: Place) => void): void {
    const length = Math.hypot(bx - ax, by - ay);
    if (length === 0) return;
    const part = Math.min(1, length / (2 * headLength)), ux = ((bx - ax) / length) * part, uy = ((by - ay) / length) * part;
    for (const side of [-1, 1])
      segment([bx, by, bz], [bx - headLength * ux - side * headWidth * uy, by - headLength * uy + side * headWidth * ux, bz]);
  }

  private filled(mark: Mark, colour: THREE.Color): THREE.Mesh {
    const flat = (points: [number, number][]): THREE.Vector2[] => points.map(([x, y]) => new THREE.Vector2(x, y));
    const shape = new THREE.Shape(flat(mark.points));
    shape.holes = (mark.holes ?? []).map(hole => new THREE.Path(flat(hole)));
    const mesh = new THREE.Mesh(new THREE.ShapeGeometry(shape),
      new THREE.MeshBasicMaterial({color: colour, transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthWrite: false}));
    const corners = mesh.geometry.getAttribute('position');
    for (let i = 0; i < corners.count; ++i) corners.setZ(i, this.building.z(mark.layer, corners.getX(i), corners.getY(i)) + above - 0.01);
    mesh.renderOrder = 3;
    return mesh;
  }
}
