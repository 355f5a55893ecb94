// The panel about what is chosen in the plan: its name, kind and storey, who starts there or goes there, and what can be done with it.
import {changeFeatures, Doc, Feature, featureBox, featureOf, Json, layerOf, layersOf, renameArea} from './document';
import {field, make, Schema} from './forms';
import {changeMeasure, measureAt, turnedRound} from './measures';
import type {Plan} from './plan';
import {usesOf} from './uses';

export interface SelectedBoard {
  readonly doc: Doc;
  readonly plan: Plan;
  readonly schema: Schema;
  change(doc: Doc, what: string, merge?: string | null): void;
  copy(): void;
  duplicate(): void;
  turn(degrees: number): void;
  remove(): void;
  /** People who start in the area; their form is opened. */
  addPeopleIn(area: string): void;
  measureDensity(area: string): void;
}

const buttons = (all: [string, () => void][]): HTMLElement => make('div', {className: 'group wrap'}, ...all.map(([text, act]) => {
  const button = make('button', {textContent: text});
  button.addEventListener('click', act);
  return button;
}));

export function selectedPanel(board: SelectedBoard): HTMLElement {
  const keys = [...board.plan.selected], box = make('div'), line = board.plan.measure === null ? null : measureAt(board.doc, board.plan.measure);
  if (keys.length === 0 && line) return linePanel(board, line, board.plan.measure!);
  if (keys.length === 0) {
    box.append(make('p', {className: 'hint', textContent: 'Nothing is selected. Choose a tool and draw, or click something in the plan.'}));
    return box;
  }
  if (keys.length === 1) box.append(...featurePanel(board, keys[0]));
  else box.append(make('p', {textContent: `${keys.length} things are selected.`}));
  box.append(buttons([['Copy', () => board.copy()], ['Double', () => board.duplicate()], ['Turn 15°', () => board.turn(15)], ['Turn 90°', () => board.turn(90)], ['Delete', () => board.remove()]]));
  return box;
}

function featurePanel(board: SelectedBoard, key: number): HTMLElement[] {
  const {doc, schema} = board, feature = featureOf(doc, key)!, {kind, name, type} = feature.properties, b = featureBox(feature), parts: HTMLElement[] = [];
  const set = (members: Record<string, unknown>, what: string): void => board.change(changeFeatures(doc, [key], f => ({...f, properties: {...f.properties, ...members} as Feature['properties']})), what);
  const isWall = feature.geometry.type === 'LineString' || feature.geometry.type === 'MultiLineString';
  parts.push(make('h2', {textContent: {walkable: 'floor', obstacle: isWall ? 'wall' : 'obstacle', opening: 'door', area: 'area', region: 'region', connection: 'connection'}[kind]}));
  if (b) parts.push(make('p', {className: 'hint', textContent: `${(b[2] - b[0]).toFixed(2)} × ${(b[3] - b[1]).toFixed(2)} m at (${b[0].toFixed(2)}, ${b[1].toFixed(2)})`}));
  if (kind === 'area') {
    parts.push(field(schema, 'name', {type: 'string'}, name, v => {
      if (!v) return;
      const renamed = changeFeatures(doc, [key], f => ({...f, properties: {...f.properties, name: v}}));
      const last = doc.features.filter(f => f.properties.kind === 'area' && f.properties.name === name).length === 1;
      board.change(last && name ? renameArea(renamed, name, v) : renamed, 'name an area');
    }));
    if (name) parts.push(...areaPanel(board, name));
  } else if (kind === 'region') parts.push(field(schema, 'type', {type: 'string', description: 'grass, road, … profiles say how much people like it'}, type, v => v && set({type: v}, 'change the ground')));
  else if (kind === 'obstacle') parts.push(field(schema, 'name', {type: 'string'}, name, v => set({name: v}, 'name an obstacle')));
  if (kind === 'connection') parts.push(make('p', {textContent: `between ${(feature.properties.layers ?? []).join(' and ')}`}));
  else if (layersOf(doc).length > 1) parts.push(field(schema, 'storey', {enum: layersOf(doc).map(l => l.id)}, layerOf(doc, feature), v => set({layer: v}, 'move to another storey')));
  return parts;
}

/** Who starts here, who goes here; and setting it from here. */
function areaPanel(board: SelectedBoard, name: string): HTMLElement[] {
  const uses = usesOf(board.doc).get(name) ?? [], measured = (board.doc.scenario.measure ?? []).some((m: Json) => m.area === name);
  const parts = uses.map(use => make('p', {className: 'hint', textContent: use}));
  const more: [string, () => void][] = [['People start here', () => board.addPeopleIn(name)]];
  if (!measured) more.push(['Measure density here', () => board.measureDensity(name)]);
  return [...parts, buttons(more)];
}

function linePanel(board: SelectedBoard, line: Json, index: number): HTMLElement {
  const {doc} = board, [[ax, ay], [bx, by]] = line.line, box = make('div');
  box.append(make('h2', {textContent: 'count line'}), make('p', {className: 'hint', textContent: `${Math.hypot(bx - ax, by - ay).toFixed(2)} m from (${ax.toFixed(2)}, ${ay.toFixed(2)}); from its left to its right counts forwards (the arrow)`}),
    field(board.schema, 'name', {type: 'string'}, line.name, v => board.change(changeMeasure(doc, index, m => ({...m, name: v})), 'name a count line')));
  if (layersOf(doc).length > 1) box.append(field(board.schema, 'storey', {enum: layersOf(doc).map(l => l.id)}, line.layer ?? layersOf(doc)[0].id, v => board.change(changeMeasure(doc, index, m => ({...m, layer: v})), 'move to another storey')));
  box.append(buttons([['The other way', () => board.change(turnedRound(doc, index), 'turn a count line')], ['Delete', () => board.remove()]]));
  return box;
}

