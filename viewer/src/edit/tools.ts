// What the pointer and the keys do on the plan. A tool sees snapped points, draws its preview, and hands over a finished change.
import {addFeatures, addStair, changeFeatures, Doc, Feature, featureOf, freshName, heights, insertCorner, isRamp, Kind, layersOf, line, mapPoints, moveCorner,
        areaNames, paths, Point, polygon, removeCorner} from './document';
import {hitMeasure, MeasureHit, moveMeasure} from './measures';
import {apart, Hit, hit, sideWith, snap, Snapped, SnapKind, within} from './snapping';
import type {Plan} from './plan';

export type ToolName = 'select' | 'walkable' | 'wall' | 'obstacle' | 'opening' | 'area' | 'region' | 'connection' | 'stair' | 'line' | 'scale' | 'pick';

/** What tools need of the editor. */
export interface Board {
  readonly doc: Doc;
  readonly plan: Plan;
  readonly layer: string;
  grid: number;
  /** Where polygons are drawn: two opposite corners, or corner by corner. */
  shape: 'rectangle' | 'polygon';
  change(doc: Doc, what: string, merge?: string | null): void;
  seal(): void;
  select(keys: Iterable<number>, measure?: number | null): void;
  say(what: string): void;
  /** Asks for a number, a name or a choice; nothing where it was cancelled. */
  ask(title: string, fields: Field[]): Promise<Record<string, string> | null>;
  scaled(from: Point, to: Point): void;
  picked(hit: Hit | null): void;
  setTool(tool: ToolName): void;
}
export interface Field {
  name: string;
  label: string;
  value: string;
  kind?: 'text' | 'number' | 'choice';
  options?: string[];
}

const snapReach = 11;  // pixels
const doorDepth = 0.15;  // metres on each side of a wall that is a line

export class Tools {
  tool: ToolName = 'select';
  points: Point[] = [];
  pointer: Snapped | null = null;
  typed = '';
  private raw: Point = [0, 0];
  private drag: {from: Point; hit: Hit | null; line: MeasureHit | null; moved: boolean; doc: Doc; box: boolean} | null = null;

  constructor(private readonly board: Board) {
    board.plan.above = (context, plan) => this.draw(context, plan);
  }

  set(tool: ToolName): void {
    this.cancel();
    this.tool = tool;
    this.board.plan.redrawTop();
  }

  cancel(): void {
    this.points = [];
    this.typed = '';
    this.drag = null;
    this.board.seal();
    this.board.plan.redrawTop();
  }

  private get layers(): Set<string> { return this.board.plan.drawnWith(this.board.layer); }

  private snapped(p: Point, free: boolean, without?: ReadonlySet<number>): Snapped {
    const {board} = this;
    if (free) return {point: p.map(v => Math.round(v * 1000) / 1000) as Point, kind: 'free', guides: []};
    const options = {reach: snapReach / board.plan.scale, grid: board.grid, corners: true, walls: true, angles: true, drawn: this.points, without};
    const found = snap(board.doc, this.layers, p, options), first = this.points[0];
    // A rectangle whose far corner would snap to the line of its first one would enclose nothing: it takes the grid. Doors may lie along a wall.
    const flat = (axis: 0 | 1): boolean => Math.abs(found.point[axis] - first[axis]) < 1e-9 && Math.abs(p[axis] - first[axis]) * board.plan.scale > 4;
    const isRectangle = this.points.length === 1 && this.wantsTwo && !['connection', 'stair', 'line', 'scale', 'opening'].includes(this.tool);
    return isRectangle && (flat(0) || flat(1)) ? snap(board.doc, this.layers, p, {...options, corners: false, walls: false, angles: false}) : found;
  }

  // --- pointer

  down(p: Point, event: {shiftKey: boolean; altKey: boolean; detail?: number}): void {
    this.raw = p;
    if (this.tool === 'pick') return this.board.picked(this.hitAt(p));
    if (this.tool !== 'select') return this.place(this.snapped(p, event.altKey).point, (event.detail ?? 1) > 1);
    const line = this.lineAt(p), {plan} = this.board, found = line ? null : this.hitAt(p);
    if (line) this.board.select([], line.index);
    else if (found && !plan.selected.has(found.key)) this.board.select(event.shiftKey ? [...plan.selected, found.key] : [found.key]);
    else if (found && event.shiftKey) this.board.select([...plan.selected].filter(key => key !== found.key));
    else if (!found && !event.shiftKey) this.board.select([]);
    this.drag = {from: p, hit: found, line, moved: false, doc: this.board.doc, box: !found && !line};
  }

  move(p: Point, event: {altKey: boolean; buttons: number}): void {
    this.raw = p;
    const {board} = this;
    if (this.tool === 'select') {
      if (this.drag && event.buttons === 0) this.drag = null;
      if (this.drag) this.dragTo(p, event.altKey);
      return board.plan.redrawTop();
    }
    this.pointer = this.snapped(p, event.altKey);
    board.plan.redrawTop();
  }

  up(p: Point): void {
    const {drag, board} = this;
    this.drag = null;
    if (!drag) return;
    if (drag.box && drag.moved) board.select(within(board.doc, this.layers, drag.from, p));
    board.seal();
    board.plan.redrawTop();
  }

  /** What is being dragged goes back to where it was: a second finger came. */
  letGo(): void {
    const {drag, board} = this;
    this.drag = null;
    if (drag?.moved && !drag.box) board.change(drag.doc, 'move', 'drag');
    board.seal();
  }

  /** The pointer by keys: from where it is, or from the middle of what is shown. */
  moveBy(by: Point): Point {
    const {plan} = this.board, from = this.pointer?.point ?? plan.centre, round = (v: number): number => Math.round(v * 1000) / 1000;
    const snapTo = this.pointer || this.board.grid <= 0 ? 0.001 : this.board.grid;
    const to = [round(Math.round(from[0] / snapTo) * snapTo + by[0]), round(Math.round(from[1] / snapTo) * snapTo + by[1])] as Point;
    this.pointer = {point: to, kind: 'free', guides: []};
    this.raw = to;
    const [x, y] = plan.toScreen(to);
    if (x < 0 || y < 0 || x > plan.width || y > plan.height) plan.centre = to, plan.redraw();
    plan.redrawTop();
    return to;
  }
  /** A click where the keys led it. */
  clickHere(): void {
    const at = this.pointer?.point ?? this.board.plan.centre;
    if (this.tool === 'pick') return this.board.picked(this.hitAt(at));
    if (this.tool !== 'select') this.place(at);
  }

  private hitAt(p: Point): Hit | null {
    const {plan, doc} = this.board;
    return hit(doc, this.layers, p, 7 / plan.scale, plan.selected, plan.hidden);
  }

  /** A count line lies over everything but the corners of what is chosen. */
  private lineAt(p: Point): MeasureHit | null {
    const {plan, doc, layer} = this.board, found = plan.hidden.has('line') ? null : hitMeasure(doc, layer, p, 7 / plan.scale);
    return found && this.hitAt(p)?.corner === undefined ? found : null;
  }

  private dragLine({index, end}: MeasureHit, p: Point, free: boolean): void {
    const drag = this.drag!, {board} = this;
    this.points = [];
    if (end !== undefined) return board.change(moveMeasure(drag.doc, index, [0, 0], {which: end, to: this.snapped(p, free).point}), 'move a count line', 'drag');
    const step = free ? 0.001 : board.grid || 0.001;
    board.change(moveMeasure(drag.doc, index, [p[0] - drag.from[0], p[1] - drag.from[1]].map(v => Math.round(v / step) * step) as Point), 'move a count line', 'drag');
  }

  private dragTo(p: Point, free: boolean): void {
    const drag = this.drag!, {board} = this;
    if (!drag.moved && apart(p, drag.from) * board.plan.scale < 4) return;
    drag.moved = true;
    if (drag.line) return this.dragLine(drag.line, p, free);
    if (drag.box || !drag.hit) return;
    const {key, path, corner} = drag.hit;
    if (corner !== undefined && path !== undefined) {
      this.points = [];
      const to = this.snapped(p, free, new Set([key])).point;
      const original = featureOf(drag.doc, key)!, old = paths(original.geometry)[path].points[corner];
      // Corners of connections that lie there go along.
      return board.change(changeFeatures(drag.doc, drag.doc.keys.filter((k, i) => k === key || joinedAt(drag.doc.features[i], old)),
        f => (f === original ? moveCorner(f, path, corner, to) : mapPoints(f, q => (q[0] === old[0] && q[1] === old[1] ? to : q)))), 'move a corner', 'drag');
    }
    const moving = new Set(board.plan.selected), step = free ? 0.001 : board.grid || 0.001;
    const by: Point = [p[0] - drag.from[0], p[1] - drag.from[1]].map(v => Math.round(v / step) * step) as Point;
    const round = (v: number): number => Math.round(v * 1e6) / 1e6;
    board.change(changeFeatures(drag.doc, moving, f => mapPoints(f, q => [round(q[0] + by[0]), round(q[1] + by[1])])), 'move', 'drag');
  }

  /** Shift: a corner more in a side that is double-clicked; a corner less where one is. */
  doubleClick(p: Point): void {
    const {board} = this;
    if (this.tool !== 'select') return this.finish();
    const found = this.hitAt(p);
    if (!found) return;
    if (found.corner !== undefined && found.path !== undefined) {
      const less = removeCorner(found.feature, found.path, found.corner);
      if (less) board.change(changeFeatures(board.doc, [found.key], () => less), 'remove a corner');
      else board.say('A shape needs at least three corners, a wall two.');
    } else if (found.side !== undefined && found.path !== undefined) {
      const at = this.snapped(p, true).point;
      board.change(changeFeatures(board.doc, [found.key], f => insertCorner(f, found.path!, found.side!, at)), 'add a corner');
    }
  }

  // --- drawing

  private get wantsTwo(): boolean {
    return this.tool === 'connection' || this.tool === 'stair' || this.tool === 'line' || this.tool === 'scale' || (this.tool !== 'wall' && this.board.shape === 'rectangle');
  }

  place(p: Point, twice = false): void {
    const last = this.points[this.points.length - 1];
    if (last && apart(last, p) < 1e-9) {
      if (twice || !this.wantsTwo) this.finish();
      return;
    }
    if (this.points.length > 2 && !this.wantsTwo && this.tool !== 'wall' && apart(this.points[0], p) < 1e-9) return this.finish();
    this.points.push(p);
    this.typed = '';
    if (this.wantsTwo && this.points.length === 2) this.finish();
    this.board.plan.redrawTop();
  }

  /** A length in the direction of the pointer, or "4 x 3" for both sides of a rectangle. */
  placeTyped(): void {
    const last = this.points[this.points.length - 1];
    const numbers = this.typed.replace(/,/g, '.').split(/[x* ]+/).filter(Boolean).map(Number);
    this.typed = '';
    if (!last || numbers.length === 0 || numbers.some(n => !Number.isFinite(n) || n <= 0)) return this.board.say('A length is a number of metres; of a rectangle two: 4 x 3.');
    const to = this.pointer?.point ?? this.raw, [dx, dy] = [to[0] - last[0], to[1] - last[1]];
    const round = (v: number): number => Math.round(v * 1e6) / 1e6;
    if (numbers.length === 2) return this.place([round(last[0] + (dx < 0 ? -1 : 1) * numbers[0]), round(last[1] + (dy < 0 ? -1 : 1) * numbers[1])]);
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = Math.hypot(dx, dy) > 0 ? [dx / length, dy / length] : [1, 0];
    this.place([round(last[0] + ux * numbers[0]), round(last[1] + uy * numbers[0])]);
  }

  back(): void {
    if (this.typed) this.typed = this.typed.slice(0, -1);
    else this.points.pop();
    this.board.plan.redrawTop();
  }

  finish(): void {
    const {points, board, tool} = this, doc = board.doc;
    this.points = [];
    this.typed = '';
    board.plan.redrawTop();
    if (points.length < 2) return;
    if (tool === 'scale') return board.scaled(points[0], points[1]);
    if (tool === 'line') return this.addMeasure(points[0], points[1]);
    if (tool === 'stair') return void this.addStair(points[0], points[1]);
    if (tool === 'connection') return void this.addConnection(points[0], points[1]);
    const layer = layersOf(doc)[0].id === board.layer && !doc.head.throng?.layers ? '' : board.layer;
    if (tool === 'wall') return this.add([line('obstacle', layer, points)], 'draw a wall');
    const ring = this.wantsTwo ? this.doorAlong(points) ?? rectangle(points[0], points[1]) : points;
    if (ring.length < 3) return board.say('A shape needs at least three corners.');
    if (areaOf(ring) < 1e-6) return board.say('This encloses nothing.');
    const more: Record<string, unknown> = {};
    if (tool === 'area') more.name = freshName('area', areaNames(doc));
    if (tool === 'region') more.type = 'grass';
    this.add([polygon(tool as Kind, layer, ring, more)], `draw ${{walkable: 'a floor', obstacle: 'an obstacle', opening: 'an opening', area: 'an area', region: 'a region'}[tool as string]}`);
  }

  /** Two clicks on one wall are a door of that width: a piece of it, deep enough for a wall that is drawn as a line. */
  private doorAlong([a, b]: Point[]): Point[] | null {
    if (this.tool !== 'opening' || apart(a, b) < 1e-6 || !sideWith(this.board.doc, this.layers, a, b, 1e-4)) return null;
    const length = apart(a, b), round = (v: number): number => Math.round(v * 1e6) / 1e6;
    const [nx, ny] = [(-(b[1] - a[1]) / length) * doorDepth, ((b[0] - a[0]) / length) * doorDepth];
    return [[a, 1], [a, -1], [b, -1], [b, 1]].map(([p, s]) => [round((p as Point)[0] + (s as number) * nx), round((p as Point)[1] + (s as number) * ny)]);
  }

  private add(features: Feature[], what: string): void {
    const {doc, keys} = addFeatures(this.board.doc, features);
    this.board.change(doc, what);
    this.board.select(keys);
  }

  private addMeasure(a: Point, b: Point): void {
    const {doc, layer} = this.board, measure = doc.scenario.measure ?? [];
    const name = freshName('line', measure.map((m: {name?: string}) => m.name ?? ''));
    const where = layersOf(doc).length > 1 ? {layer} : {};
    this.board.change({...doc, scenario: {...doc.scenario, measure: [...measure, {line: [a, b], name, ...where}]}}, 'draw a count line');
    this.board.select([], measure.length);
    this.board.say(`Who crosses ${name} is counted; from its left to its right counts forwards (the arrow).`);
  }

  private async addConnection(a: Point, b: Point): Promise<void> {
    const {board} = this, others = layersOf(board.doc).map(l => l.id).filter(id => id !== board.layer);
    if (others.length === 0) return board.say('A connection joins two storeys: add another first.');
    const answer = await board.ask('Connection', [{name: 'to', label: 'leads to', value: others[0], kind: 'choice', options: others}]);
    if (answer) this.add([line('connection', '', [a, b], {layers: [board.layer, answer.to]})], 'draw a connection');
  }

  private async addStair(a: Point, b: Point): Promise<void> {
    const {board} = this, own = layersOf(board.doc).find(l => l.id === board.layer)!;
    const others = layersOf(board.doc).filter(l => l.id !== own.id && !isRamp(l) && Math.abs(heights(l)[0] - heights(own)[0]) > 0.01);
    if (others.length === 0 || isRamp(own)) return board.say('A stair leads from a storey to another of a different height: add one first.');
    const answer = await board.ask('Stair', [{name: 'to', label: 'from here to', value: others[0].id, kind: 'choice', options: others.map(l => l.id)}, {name: 'width', label: 'width [m]', value: '2', kind: 'number'}]);
    if (!answer) return;
    const width = Number(answer.width), other = others.find(l => l.id === answer.to)!;
    if (!(width > 0.2)) return board.say('A stair is at least 0.2 m wide.');
    const up = heights(other)[0] > heights(own)[0];
    const {doc, keys} = addStair(board.doc, up ? own : other, up ? other : own, up ? a : b, up ? b : a, width);
    board.change(doc, 'draw a stair');
    board.select(keys);
  }

  // --- keys: whether one was a tool's

  key(event: KeyboardEvent): boolean {
    if (event.key === 'Escape') {
      if (this.points.length > 0 || this.typed) this.cancel();
      else if (this.tool !== 'select') this.board.setTool('select');
      else this.board.select([]);
      return true;
    }
    if (this.points.length === 0) return false;
    if (event.key === 'Enter') return this.typed ? this.placeTyped() : this.finish(), true;
    if (event.key === 'Backspace') return this.back(), true;
    if (/^[0-9.,x*]$/.test(event.key) || (event.key === ' ' && this.typed)) {
      this.typed += event.key;
      this.board.plan.redrawTop();
      return true;
    }
    return false;
  }

  // --- the preview

  private draw(context: CanvasRenderingContext2D, plan: Plan): void {
    const px = 1 / plan.scale, accent = plan.dark ? '#63b3e0' : '#0b6aa2';
    if (this.drag?.box && this.drag.moved) {
      context.strokeStyle = accent;
      context.lineWidth = px;
      context.setLineDash([4 * px, 4 * px]);
      context.strokeRect(this.drag.from[0], this.drag.from[1], this.raw[0] - this.drag.from[0], this.raw[1] - this.drag.from[1]);
      context.setLineDash([]);
    }
    if (this.tool === 'select' || this.tool === 'pick') return;
    const to = this.pointer?.point;
    if (!to) return;
    if (this.points.length > 0) {
      const two = this.wantsTwo && !['connection', 'stair', 'line', 'scale'].includes(this.tool);
      const ring = two ? this.doorAlong([this.points[0], to]) ?? rectangle(this.points[0], to) : [...this.points, to];
      context.strokeStyle = accent;
      context.lineWidth = 2 * px;
      context.beginPath();
      ring.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      if (two || !['wall', 'connection', 'stair', 'line', 'scale'].includes(this.tool)) {
        context.closePath();
        context.fillStyle = accent + '22';
        context.fill();
      }
      context.stroke();
      for (const guide of this.pointer!.guides) {
        context.setLineDash([3 * px, 5 * px]);
        context.lineWidth = px;
        context.beginPath();
        context.moveTo(guide[0], guide[1]);
        context.lineTo(to[0], to[1]);
        context.stroke();
        context.setLineDash([]);
      }
      plan.screen(context);
      const last = this.points[this.points.length - 1];
      const text = this.typed ? `${this.typed}| m` : two ? `${Math.abs(to[0] - last[0]).toFixed(2)} × ${Math.abs(to[1] - last[1]).toFixed(2)} m` : `${apart(last, to).toFixed(2)} m`;
      const [x, y] = plan.toScreen(to);
      context.font = '600 12px system-ui, sans-serif';
      context.textAlign = 'left';
      context.textBaseline = 'middle';
      const w = context.measureText(text).width + 12;
      context.fillStyle = accent;
      context.beginPath();
      context.roundRect(x + 12, y - 26, w, 19, 5);
      context.fill();
      context.fillStyle = '#ffffff';
      context.fillText(text, x + 18, y - 16);
      this.mark(context, this.pointer!.kind, x, y);
    } else {
      plan.screen(context);
      const [x, y] = plan.toScreen(to);
      this.mark(context, this.pointer!.kind, x, y);
    }
  }

  /** What the point snapped to: a square at a corner, a triangle on a wall, a cross elsewhere. */
  private mark(context: CanvasRenderingContext2D, kind: SnapKind, x: number, y: number): void {
    context.strokeStyle = '#d91a40';
    context.lineWidth = 1.5;
    context.beginPath();
    if (kind === 'corner') context.rect(x - 5, y - 5, 10, 10);
    else if (kind === 'wall') context.moveTo(x, y - 6), context.lineTo(x + 6, y + 5), context.lineTo(x - 6, y + 5), context.closePath();
    else context.moveTo(x - 6, y), context.lineTo(x + 6, y), context.moveTo(x, y - 6), context.lineTo(x, y + 6);
    context.stroke();
  }
}

/** A connection's end that lies at a corner goes with it. */
function joinedAt(feature: Feature, p: Point): boolean {
  return feature.properties.kind === 'connection' && feature.geometry.coordinates.some((q: Point) => q[0] === p[0] && q[1] === p[1]);
}

export function rectangle(a: Point, b: Point): Point[] {
  const [x0, x1] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])], [y0, y1] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
}

export function areaOf(ring: Point[]): number {
  let twice = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) twice += ring[j][0] * ring[i][1] - ring[i][0] * ring[j][1];
  return Math.abs(twice) / 2;
}
