// The plan on a canvas: the storey that is drawn on, those beside it faintly, what is selected, what is being drawn, complaints at their places.
import {Doc, Feature, featureBox, heights, isRamp, Layer, layerOf, layersOf, layersTouched, paths, Point} from './document';
import {aboutOf, Complaint, marksOf} from './checker';
import {measureAt} from './measures';
import {roleOf} from './uses';

export interface Background {
  image: HTMLImageElement;
  /** Metres a pixel, and where its lower left corner lies. */
  scale: number;
  at: Point;
  opacity: number;
  layer: string;
}

const light = {paper: '#eef1f4', floor: '#ffffff', floorEdge: '#9aa5b1', wall: '#2d3742', obstacle: '#8b96a3', opening: '#7cc6a4', ink: '#22303c', grid: '#dfe4ea', strong: '#c9d1da', accent: '#0b6aa2'};
const dark = {paper: '#14181d', floor: '#29313a', floorEdge: '#66727f', wall: '#d5dde5', obstacle: '#5c6875', opening: '#2f7d5b', ink: '#e6ebf0', grid: '#1e242b', strong: '#2b333c', accent: '#63b3e0'};
const areaColours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#8c6bb1', '#999933', '#882255', '#44aa99'];

/** The same name, the same colour, whatever else is shown. */
export function colourOfName(name: string): string {
  let hash = 7;
  for (const c of name) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  return areaColours[hash % areaColours.length];
}

const shapes = new WeakMap<Feature, Path2D>();
function shapeOf(feature: Feature): Path2D {
  let shape = shapes.get(feature);
  if (shape) return shape;
  shape = new Path2D();
  for (const {points, closed} of paths(feature.geometry)) {
    points.forEach(([x, y], i) => (i === 0 ? shape!.moveTo(x, y) : shape!.lineTo(x, y)));
    if (closed) shape.closePath();
  }
  shapes.set(feature, shape);
  return shape;
}

type Box = [number, number, number, number];
const meet = (a: Box, b: Box): boolean => a[2] >= b[0] && a[0] <= b[2] && a[3] >= b[1] && a[1] <= b[3];
const joined = (a: Box, b: Box): Box => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];

const hasFloor = (doc: Doc, layer: string): boolean => doc.features.some(f => f.properties.kind === 'walkable' && layerOf(doc, f) === layer);

/** Where two documents look different; nothing where that is not a few features of the same storeys. */
function changedPlaces(before: Doc, now: Doc, layer: string): Box[] | null {
  if (before.head !== now.head || before.scenario !== now.scenario) return null;
  const a = before.features, b = now.features;
  let first = 0, last = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) ++first;
  while (last < a.length - first && last < b.length - first && a[a.length - 1 - last] === b[b.length - 1 - last]) ++last;
  const changed = [...a.slice(first, a.length - last), ...b.slice(first, b.length - last)];
  // Names keep clear of one another wherever they are, and a storey's box is its floor where it has none.
  if (changed.length > 40 || !hasFloor(now, layer) || changed.some(f => ['area', 'region', 'walkable'].includes(f.properties.kind))) return null;
  return changed.map(featureBox).filter((box): box is Box => box !== null);
}

const order = ['walkable', 'region', 'area', 'obstacle', 'opening', 'connection'];

export class Plan {
  doc!: Doc;
  layer = '';
  hidden = new Set<string>();
  selected = new Set<number>();
  /** The count line that is chosen, where no feature is. */
  measure: number | null = null;
  complaints: Complaint[] = [];
  background: Background | null = null;
  dark = false;
  grid = 0.5;
  /** Pixels a metre, and what lies in the middle. */
  scale = 20;
  centre: Point = [0, 0];
  /** What tools draw on top. */
  above: (context: CanvasRenderingContext2D, plan: Plan) => void = () => {};
  private readonly base: CanvasRenderingContext2D;
  private readonly top: CanvasRenderingContext2D;
  private baseDirty = true;
  private topDirty = true;
  /** What to draw anew of the base where the rest of it is still right: a box of the world. */
  private part: Box | null = null;
  lastDrawMs = 0;

  constructor(private readonly below: HTMLCanvasElement, private readonly over: HTMLCanvasElement) {
    this.base = below.getContext('2d')!;
    this.top = over.getContext('2d')!;
    new ResizeObserver(() => this.resize()).observe(over.parentElement!);
    this.resize();
    const tick = (): void => {
      this.flush();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  get width(): number { return this.over.clientWidth; }
  get height(): number { return this.over.clientHeight; }

  redraw(): void { this.baseDirty = this.topDirty = true; }
  redrawTop(): void { this.topDirty = true; }

  /** Another document. Of a few features that changed only their places are drawn anew: a city is not drawn again for a wall. */
  take(doc: Doc): void {
    const changed = this.doc ? changedPlaces(this.doc, doc, this.layer) : null;
    this.doc = doc;
    if (!changed) return this.redraw();
    this.topDirty = true;
    for (const box of changed) this.part = this.part ? joined(this.part, box) : box;
  }

  private flush(): void {
    if (!this.doc) return;
    const start = performance.now();
    if (this.baseDirty) this.drawBase();
    else if (this.part) this.drawPart(this.part);
    if (this.topDirty) this.drawTop();
    if (this.baseDirty || this.topDirty) this.lastDrawMs = performance.now() - start;
    this.baseDirty = this.topDirty = false;
    this.part = null;
  }

  private resize(): void {
    const ratio = Math.min(2, devicePixelRatio), box = this.over.parentElement!;
    for (const canvas of [this.below, this.over]) {
      canvas.width = Math.max(1, Math.round(box.clientWidth * ratio));
      canvas.height = Math.max(1, Math.round(box.clientHeight * ratio));
    }
    this.redraw();
  }

  toScreen([x, y]: Point): Point { return [this.width / 2 + (x - this.centre[0]) * this.scale, this.height / 2 - (y - this.centre[1]) * this.scale]; }
  toWorld([x, y]: Point): Point { return [this.centre[0] + (x - this.width / 2) / this.scale, this.centre[1] - (y - this.height / 2) / this.scale]; }

  fit(box: [number, number, number, number] | null): void {
    const [x0, y0, x1, y1] = box ?? [-10, -7, 10, 7];
    this.centre = [(x0 + x1) / 2, (y0 + y1) / 2];
    this.scale = Math.min(400, Math.max(0.02, 0.88 * Math.min(this.width / Math.max(1, x1 - x0), this.height / Math.max(1, y1 - y0))));
    this.redraw();
  }

  zoom(by: number, at: Point): void {
    const before = this.toWorld(at);
    this.scale = Math.min(2000, Math.max(0.01, this.scale * by));
    const after = this.toWorld(at);
    this.centre = [this.centre[0] + before[0] - after[0], this.centre[1] + before[1] - after[1]];
    this.redraw();
  }

  pan(dx: number, dy: number): void {
    this.centre = [this.centre[0] - dx / this.scale, this.centre[1] + dy / this.scale];
    this.redraw();
  }

  /** The storey's own layer; stairs that touch it are drawn with it, others on the same height too. */
  drawnWith(id: string): Set<string> {
    const layers = layersOf(this.doc), own = layers.find(l => l.id === id) ?? layers[0], [low, high] = heights(own);
    return new Set(layers.filter(l => l.id === own.id || (isRamp(l) || isRamp(own) ? heights(l)[0] <= high + 0.01 && heights(l)[1] >= low - 0.01 : Math.abs(heights(l)[0] - low) < 0.01)).map(l => l.id));
  }

  private world(context: CanvasRenderingContext2D): void {
    const ratio = this.over.width / Math.max(1, this.width);
    context.setTransform(ratio * this.scale, 0, 0, -ratio * this.scale, ratio * (this.width / 2 - this.centre[0] * this.scale), ratio * (this.height / 2 + this.centre[1] * this.scale));
  }
  screen(context: CanvasRenderingContext2D): void {
    const ratio = this.over.width / Math.max(1, this.width);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** A box of the base, and what lines around it reach into, as the whole would be drawn there. */
  private drawPart([x0, y0, x1, y1]: Box): void {
    const context = this.base, ratio = this.over.width / Math.max(1, this.width), margin = 0.1 * this.scale + 8;
    const [left, top] = this.toScreen([x0, y1]), [right, bottom] = this.toScreen([x1, y0]);
    const edges = [left - margin, top - margin, right + margin, bottom + margin].map((v, i) => (i < 2 ? Math.floor(v * ratio) : Math.ceil(v * ratio)));
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.beginPath();
    context.rect(edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1]);
    context.clip();
    const m = 2 * margin / this.scale;
    this.drawBase([x0 - m, y0 - m, x1 + m, y1 + m]);
    context.restore();
  }

  private drawBase(within: Box | null = null): void {
    const context = this.base, colours = this.dark ? dark : light;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    this.world(context);
    this.drawBackground(context);
    const shown = this.drawnWith(this.layer), px = 1 / this.scale;
    const layers = layersOf(this.doc), own = layers.find(l => l.id === this.layer) ?? layers[0];
    const below = this.storeyBelow(own);
    const view: Box = [...this.toWorld([0, this.height]), ...this.toWorld([this.width, 0])];
    const visible = (f: Feature): boolean => {
      const box = featureBox(f);
      // Names reach beyond what they name: those are drawn wherever the window shows them.
      const seen = within && f.properties.kind !== 'area' && f.properties.kind !== 'region' ? within : view;
      return box !== null && meet(box, seen) && !this.hidden.has(f.properties.kind);
    };
    const byKind = new Map<string, Feature[]>(order.map(kind => [kind, []]));
    const faint: Feature[] = [];
    for (const feature of this.doc.features) {
      if (!visible(feature)) continue;
      const touched = layersTouched(this.doc, feature);
      if (touched.some(l => shown.has(l))) byKind.get(feature.properties.kind)?.push(feature);
      else if (below && touched.includes(below) && feature.properties.kind !== 'area') faint.push(feature);
    }
    context.globalAlpha = 0.25;
    context.strokeStyle = colours.wall;
    context.lineWidth = px;
    for (const feature of faint) context.stroke(shapeOf(feature));
    context.globalAlpha = 1;
    if (!this.hidden.has('walkable') && !hasFloor(this.doc, own.id)) this.impliedFloor(context, own, colours.floor, px);
    for (const kind of order) for (const feature of byKind.get(kind)!) this.drawFeature(context, feature, colours, px);
    this.drawGrid(context, colours, px);
    this.drawMeasures(context, px);
    this.screen(context);
    this.drawNames(context, [...byKind.get('area')!, ...byKind.get('region')!], colours.ink);
  }

  private storeyBelow(own: Layer): string | null {
    const z = heights(own)[0];
    const lower = layersOf(this.doc).filter(l => !isRamp(l) && heights(l)[0] < z - 0.01).sort((a, b) => heights(b)[0] - heights(a)[0]);
    return lower[0]?.id ?? null;
  }

  /** A storey without a floor is walkable in the box of what is on it. */
  private impliedFloor(context: CanvasRenderingContext2D, own: Layer, colour: string, px: number): void {
    const features = this.doc.features.filter(f => layersTouched(this.doc, f).includes(own.id));
    let box: [number, number, number, number] | null = null;
    for (const f of features) {
      const b = featureBox(f);
      if (b) box = box ? [Math.min(box[0], b[0]), Math.min(box[1], b[1]), Math.max(box[2], b[2]), Math.max(box[3], b[3])] : b;
    }
    if (!box) return;
    context.fillStyle = colour;
    context.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
    context.setLineDash([6 * px, 6 * px]);
    context.lineWidth = px;
    context.strokeStyle = '#9aa5b1';
    context.strokeRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
    context.setLineDash([]);
  }

  private drawFeature(context: CanvasRenderingContext2D, feature: Feature, colours: typeof light, px: number): void {
    const shape = shapeOf(feature), {kind, name, type} = feature.properties;
    const isLine = feature.geometry.type === 'LineString' || feature.geometry.type === 'MultiLineString';
    context.lineWidth = px;
    if (kind === 'walkable') {
      context.fillStyle = colours.floor;
      context.fill(shape, 'evenodd');
      context.strokeStyle = colours.wall;
      context.lineWidth = 2 * px;
      context.stroke(shape);
    } else if (kind === 'obstacle' && isLine) {
      context.strokeStyle = colours.wall;
      context.lineWidth = Math.max(0.08, 3 * px);
      context.stroke(shape);
    } else if (kind === 'obstacle') {
      context.fillStyle = colours.obstacle;
      context.fill(shape, 'evenodd');
      context.strokeStyle = colours.wall;
      context.stroke(shape);
    } else if (kind === 'opening') {
      context.fillStyle = colours.opening + '99';
      context.fill(shape, 'evenodd');
      context.strokeStyle = colours.opening;
      context.lineWidth = 1.5 * px;
      context.stroke(shape);
    } else if (kind === 'connection') {
      context.strokeStyle = '#cc0066';
      context.lineWidth = 4 * px;
      context.stroke(shape);
    } else {
      const colour = colourOfName(kind === 'area' ? name ?? '' : type ?? '');
      context.fillStyle = colour + (kind === 'area' ? '38' : '2a');
      context.fill(shape, 'evenodd');
      context.strokeStyle = colour;
      context.lineWidth = 1.5 * px;
      if (kind === 'region') context.setLineDash([5 * px, 4 * px]);
      context.stroke(shape);
      context.setLineDash([]);
    }
  }

  private drawBackground(context: CanvasRenderingContext2D): void {
    const b = this.background;
    if (!b || b.layer !== this.layer) return;
    context.save();
    context.globalAlpha = b.opacity;
    context.translate(b.at[0], b.at[1] + b.image.naturalHeight * b.scale);
    context.scale(b.scale, -b.scale);
    context.drawImage(b.image, 0, 0);
    context.restore();
  }

  private drawGrid(context: CanvasRenderingContext2D, colours: typeof light, px: number): void {
    let step = Math.max(this.grid, 0.1);
    while (step * this.scale < 14) step *= step.toString().includes('2') ? 2.5 : 2;
    if (this.grid <= 0) return;
    const [x0, y0] = this.toWorld([0, this.height]), [x1, y1] = this.toWorld([this.width, 0]);
    context.lineWidth = px / 2;
    context.globalAlpha = 0.55;
    context.strokeStyle = colours.strong;
    context.beginPath();
    for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) context.moveTo(x, y0), context.lineTo(x, y1);
    for (let y = Math.ceil(y0 / step) * step; y <= y1; y += step) context.moveTo(x0, y), context.lineTo(x1, y);
    context.stroke();
    context.globalAlpha = 1;
  }

  /** Lines that count who crosses them. */
  private drawMeasures(context: CanvasRenderingContext2D, px: number): void {
    if (this.hidden.has('line')) return;
    for (const measure of this.measures()) {
      const [a, b] = measure.line as Point[];
      context.strokeStyle = '#d91a40';
      context.lineWidth = 2.5 * px;
      context.setLineDash([8 * px, 5 * px]);
      context.beginPath();
      context.moveTo(a[0], a[1]);
      context.lineTo(b[0], b[1]);
      context.stroke();
      context.setLineDash([]);
      // From its left to its right is positive: an arrow says which way.
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, [mx, my] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], u = [(b[1] - a[1]) / length, -(b[0] - a[0]) / length];
      context.beginPath();
      context.moveTo(mx, my);
      context.lineTo(mx + 18 * px * u[0], my + 18 * px * u[1]);
      context.stroke();
    }
  }

  private drawNames(context: CanvasRenderingContext2D, features: Feature[], ink: string): void {
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const taken: Box[] = [], roles = roleOf(this.doc);
    const write = (at: Point, name: string, role: string): void => {
      context.font = '600 12px system-ui, sans-serif';
      const w = Math.max(context.measureText(name).width, role ? 6.2 * role.length : 0) + 10, h = role ? 31 : 18;
      // Where another name stands already, this one moves below it or above it.
      const spot = [0, h + 2, -h - 2].map((dy): Box => [at[0] - w / 2, at[1] - h / 2 + dy, at[0] + w / 2, at[1] + h / 2 + dy]).find(s => !taken.some(t => meet(t, s)));
      if (!spot) return;
      taken.push(spot);
      context.fillStyle = this.dark ? '#1c2229cc' : '#ffffffdd';
      context.beginPath();
      context.roundRect(spot[0], spot[1], w, h, 5);
      context.fill();
      context.fillStyle = ink;
      context.fillText(name, at[0], spot[1] + 9.5);
      if (!role) return;
      context.font = '11px system-ui, sans-serif';
      context.globalAlpha = 0.75;
      context.fillText(role, at[0], spot[1] + 22);
      context.globalAlpha = 1;
    };
    // Places that people start at or go to before rooms that only have a name.
    const named = features.map(feature => ({feature, box: featureBox(feature), name: String(feature.properties.name ?? feature.properties.type ?? '')}));
    const roleIn = (f: Feature, name: string): string => (f.properties.kind === 'area' ? roles.get(name) ?? '' : '');
    for (const wanted of [true, false])
      for (const {feature, box, name} of named)
        if (box && name && (box[2] - box[0]) * this.scale >= 14 && (roleIn(feature, name) !== '') === wanted) write(this.toScreen([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]), name, roleIn(feature, name));
    if (!this.hidden.has('line'))
      for (const {line: [a, b], name} of this.measures()) if (name) write(this.toScreen([(3 * a[0] + b[0]) / 4, (3 * a[1] + b[1]) / 4]), name, '');
  }

  /** The same by their numbers in the scenario. */
  get linesShown(): number[] {
    const all: unknown[] = this.doc.scenario.measure ?? [];
    return this.measures().map(m => all.indexOf(m));
  }

  /** Count lines on the storey that is drawn on. */
  private measures(): {line: [Point, Point]; name?: string}[] {
    return (this.doc.scenario.measure ?? []).filter((m: {line?: unknown; layer?: string}) => Array.isArray(m.line) && (m.layer ?? layersOf(this.doc)[0].id) === this.layer);
  }

  private drawTop(): void {
    const context = this.top, px = 1 / this.scale, accent = (this.dark ? dark : light).accent;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    this.world(context);
    this.doc.features.forEach((feature, i) => {
      if (!this.selected.has(this.doc.keys[i])) return;
      context.strokeStyle = accent;
      context.lineWidth = 2.5 * px;
      context.stroke(shapeOf(feature));
      for (const {points} of paths(feature.geometry)) {
        if (points.length > 400) continue;
        for (const [x, y] of points) this.handle(context, x, y, px);
      }
    });
    this.drawChosenLine(context, px, accent);
    this.drawComplaints(context, px);
    this.above(context, this);
    this.drawScale(context);
  }

  private drawChosenLine(context: CanvasRenderingContext2D, px: number, accent: string): void {
    const chosen = this.measure === null ? null : measureAt(this.doc, this.measure);
    if (!chosen || !this.measures().includes(chosen)) return;
    context.strokeStyle = accent;
    context.lineWidth = 2.5 * px;
    context.beginPath();
    for (const [x, y] of chosen.line) context.lineTo(x, y);
    context.stroke();
    for (const [x, y] of chosen.line) this.handle(context, x, y, px);
  }

  /** A corner that can be dragged. */
  private handle(context: CanvasRenderingContext2D, x: number, y: number, px: number): void {
    context.fillStyle = this.dark ? '#14181d' : '#ffffff';
    context.fillRect(x - 3.5 * px, y - 3.5 * px, 7 * px, 7 * px);
    context.lineWidth = 1.5 * px;
    context.strokeRect(x - 3.5 * px, y - 3.5 * px, 7 * px, 7 * px);
  }

  private drawComplaints(context: CanvasRenderingContext2D, px: number): void {
    for (const complaint of this.complaints) {
      const colour = complaint.severity === 'error' ? '#d7191c' : '#e08000';
      const shown = this.drawnWith(this.layer), about = aboutOf(complaint, this.doc);
      if (about.length > 0 && !about.some(f => layersTouched(this.doc, f).some(l => shown.has(l)))) continue;
      for (const feature of about) {
        context.strokeStyle = colour;
        context.lineWidth = 3 * px;
        context.setLineDash([6 * px, 4 * px]);
        context.stroke(shapeOf(feature));
        context.setLineDash([]);
      }
      this.screen(context);
      for (const at of marksOf(complaint, this.doc)) this.exclaim(context, this.toScreen(at), colour);
      this.world(context);
    }
  }

  private exclaim(context: CanvasRenderingContext2D, [x, y]: Point, colour: string): void {
    context.beginPath();
    context.arc(x, y, 9, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    context.strokeStyle = '#ffffff';
    context.lineWidth = 1.5;
    context.stroke();
    context.fillStyle = '#ffffff';
    context.font = '700 13px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText('!', x, y + 0.5);
  }

  private drawScale(context: CanvasRenderingContext2D): void {
    this.screen(context);
    const wanted = 110 / this.scale, power = 10 ** Math.floor(Math.log10(wanted)), metres = [5, 2, 1].map(f => f * power).find(m => m <= wanted) ?? power;
    const w = metres * this.scale, y = this.height - 16, ink = (this.dark ? dark : light).ink;
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(14, y - 5);
    context.lineTo(14, y);
    context.lineTo(14 + w, y);
    context.lineTo(14 + w, y - 5);
    context.stroke();
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
    context.fillText(metres >= 1 ? `${metres} m` : `${Math.round(metres * 100)} cm`, 20, y - 5);
    this.world(context);
  }
}
