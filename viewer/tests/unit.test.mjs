// Plain modules of the client, without a browser: the document and its undo, snapping, the state in the address.
//   node unit.test.mjs
import {buildSync} from 'esbuild';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {check, equal, run, test} from './check.mjs';

const folder = mkdtempSync(join(tmpdir(), 'throng-unit-')), sources = new URL('../src/', import.meta.url).pathname;
async function load(name) {
  const out = join(folder, `${name.replace(/\//g, '-')}.mjs`);
  buildSync({entryPoints: [join(sources, `${name}.ts`)], bundle: true, format: 'esm', outfile: out, logLevel: 'error'});
  return import(pathToFileURL(out).href);
}
const d = await load('edit/document'), {History} = await load('edit/history'), snapping = await load('edit/snapping'), state = await load('state'), tools = await load('edit/tools'), changes = await load('changes');

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const empty = () => d.docOf({throng: 1, environment: {type: 'FeatureCollection', features: [], other: {kept: true}}, populations: [], unknown: 7});

test('200 random sequences of drawing, moving, undoing: undo gives back the same bytes, redo the later ones', async () => {
  const seed = Number(process.env.SEED ?? 1);
  for (let round = 0; round < 200; ++round) {
    const r = random(seed * 1000 + round), at = () => [Math.round(r() * 400) / 10, Math.round(r() * 400) / 10], history = new History(empty());
    const texts = [d.textOf(history.doc)];
    const steps = 3 + Math.floor(r() * 20);
    for (let k = 0; k < steps; ++k) {
      const doc = history.doc, key = doc.keys[Math.floor(r() * doc.keys.length)], what = r();
      let next;
      if (what < 0.5 || key === undefined) next = d.addFeatures(doc, [d.polygon(['walkable', 'obstacle', 'opening', 'area'][Math.floor(r() * 4)], '', tools.rectangle(at(), at()), r() < 0.5 ? {name: `n${k}`} : {})]).doc;
      else if (what < 0.6) next = d.addFeatures(doc, [d.line('obstacle', '', [at(), at(), at()])]).doc;
      else if (what < 0.7) next = d.changeFeatures(doc, [key], f => d.mapPoints(f, ([x, y]) => [x + 1, y - 0.5]));
      else if (what < 0.8) next = d.changeFeatures(doc, [key], f => d.moveCorner(f, 0, 0, at()));
      else if (what < 0.9) next = d.changeFeatures(doc, [key], f => d.insertCorner(f, 0, 0, at()));
      else next = d.removeFeatures(doc, [key]);
      history.change(next, 'step');
      texts.push(d.textOf(history.doc));
    }
    for (let k = steps - 1; k >= 0; --k) {
      history.undo();
      equal(d.textOf(history.doc), texts[k], `seed ${seed}, round ${round}: undone to ${k}`);
    }
    for (let k = 1; k <= steps; ++k) {
      history.redo();
      equal(d.textOf(history.doc), texts[k], `seed ${seed}, round ${round}: redone to ${k}`);
    }
  }
});

test('the world of a time: what was dropped, removed and moved by then, and not taken back', async () => {
  const event = (time, kind, what = {}) => ({time, kind, what});
  const events = [event(1, 'obstacle', {id: 'a', x: 1, y: 2, layer: 0, size: 2}), event(2, 'people', {count: 5, population: 0}), event(3, 'removed', {id: 'house', layer: 0, ring: [[0, 0], [1, 0], [1, 1]]}),
    event(4, 'goal', {id: 'area:exit', label: 'exit', x: 9, y: 9, layer: 0}), event(5, 'undone'), event(6, 'removed', {id: 'a', layer: 0, ring: [[0, 1], [2, 1], [2, 3]]}), event(7, 'undone'), event(8, 'undone')];
  const at = time => { const d = changes.differencesAt(events, time); return [d.dropped.map(o => o.id), d.removed.map(o => o.id), d.moved.map(o => o.label)]; };
  equal(at(0.5), [[], [], []], 'the start');
  equal(at(2.5), [['a'], [], []], 'dropped');
  equal(at(4), [['a'], ['house'], ['exit']], 'removed and moved');
  equal(at(5.5), [['a'], ['house'], []], 'the goal is back');
  equal(at(6), [[], ['house'], []], 'what was dropped is gone');
  equal(at(7), [['a'], ['house'], []], 'and back');
  equal(at(9), [['a'], [], []], 'the house is back; people who came stay');
  const signs = [event(1, 'obstacle', {id: 'a', x: 1, y: 2, layer: 0, size: 2}), event(2, 'sign', {x: 1, y: 1, layer: 0, pass: 'left'}), event(3, 'weight', {profile: 'adult', type: 'grass', weight: 2}), event(4, 'undone'), event(5, 'undone')];
  equal(changes.differencesAt(signs, 6).dropped.map(o => o.id), ['a'], 'a weight and a sign that were taken back leave the obstacle where it is');
  equal(changes.sentenceOf(events[0], {layers: ['']}), 'an obstacle of 2 m dropped at (1.0, 2.0)', 'sentence');
  equal(changes.marksOf(changes.differencesAt(events, 4), [1, 1], false).map(m => [m.shape, m.text, m.points[0]]), [['line', '', [-1, 0]], ['area', 'removed', [-1, -1]], ['text', 'exit, moved here', [8, 8]]], 'marks, from the origin');
  equal(changes.marksOf(changes.differencesAt(events, 4), [0, 0], true).length, 1, 'a live run has the present world: only what was dropped is outlined');
});

test('what the editor does not know it keeps', async () => {
  const text = JSON.parse(d.textOf(empty()));
  equal(text.unknown, 7, 'a member of the scenario');
  equal(text.environment.other, {kept: true}, 'a member of the environment');
  const odd = d.docOf({throng: 1, environment: {type: 'FeatureCollection', features: [{type: 'Feature', id: 'x', properties: {kind: 'obstacle', mine: 1}, geometry: {type: 'Polygon', coordinates: [[[0, 0, 5], [1, 0, 5], [1, 1, 5], [0, 0, 5]]]}}]}, populations: []});
  const moved = d.changeFeatures(odd, odd.keys, f => d.mapPoints(f, ([x, y]) => [x + 1, y]));
  equal(moved.features[0], {type: 'Feature', id: 'x', properties: {kind: 'obstacle', mine: 1}, geometry: {type: 'Polygon', coordinates: [[[1, 0, 5], [2, 0, 5], [2, 1, 5], [1, 0, 5]]]}}, 'members and heights of a moved feature');
});

test('a ring stays closed when its first corner is moved or removed', async () => {
  const square = d.polygon('obstacle', '', [[0, 0], [2, 0], [2, 2], [0, 2]]);
  const ring = f => f.geometry.coordinates[0];
  equal(ring(d.moveCorner(square, 0, 0, [-1, -1])), [[-1, -1], [2, 0], [2, 2], [0, 2], [-1, -1]], 'moved');
  equal(ring(d.removeCorner(square, 0, 0)), [[2, 0], [2, 2], [0, 2], [2, 0]], 'removed');
  equal(d.removeCorner(d.removeCorner(square, 0, 0), 0, 0), null, 'a triangle keeps its corners');
});

test('points snap to corners before walls before right angles before the grid', async () => {
  const {doc} = d.addFeatures(empty(), [d.polygon('obstacle', '', [[0, 0], [10, 0], [10, 5], [0, 5]])]), layers = new Set(['']);
  const options = {reach: 0.3, grid: 0.5, corners: true, walls: true, angles: true, drawn: []};
  equal(snapping.snap(doc, layers, [10.1, 5.1], options), {point: [10, 5], kind: 'corner', guides: []}, 'a corner');
  equal(snapping.snap(doc, layers, [4.13, 5.2], options).kind, 'wall', 'a wall');
  equal(snapping.snap(doc, layers, [4.13, 5.2], options).point, [4, 5], 'on the wall, at whole grid lengths from its corner');
  equal(snapping.snap(doc, layers, [4.13, 5.2], {...options, grid: 0}).point, [4.13, 5], 'on the wall, anywhere where there is no grid');
  const angle = snapping.snap(doc, layers, [20.1, 12.3], {...options, drawn: [[20, 8]]});
  equal([angle.kind, angle.point], ['angle', [20, 12.5]], 'straight up, at whole grid lengths');
  equal(snapping.snap(doc, layers, [33.3, 21.2], options).point, [33.5, 21], 'the grid');
  equal(snapping.hit(doc, layers, [5, 2], 0.1, new Set(), new Set()).key, doc.keys[0], 'what is under the pointer');
});

test('a stair joins two storeys at its ends', async () => {
  let doc = d.withLayers(empty(), [{id: 'ground', elevation: 0}, {id: 'first', elevation: 4}]);
  const layers = d.layersOf(doc);
  doc = d.addStair(doc, layers[0], layers[1], [0, 0], [8, 0], 2).doc;
  const stair = d.layersOf(doc)[2];
  equal(stair.elevation, {ramp: [[0, 0, 0], [8, 0, 4]], stairs: true}, 'it rises');
  equal(doc.features.filter(f => f.properties.kind === 'connection').map(f => [f.properties.layers, f.geometry.coordinates]),
        [[['ground', stair.id], [[0, 1], [0, -1]]], [[stair.id, 'first'], [[8, -1], [8, 1]]]], 'connections at both ends');
});

test('storeys are renamed, raised and removed with all that speaks of them', async () => {
  const {renameStorey, raiseStorey, removeStorey, withoutEmptyStairs} = await load('edit/storeys');
  let doc = d.withLayers(empty(), [{id: 'ground', elevation: 0}, {id: 'first', elevation: 4}]);
  doc = d.addFeatures(doc, [d.polygon('walkable', 'ground', [[0, 0], [9, 0], [9, 9]]), d.polygon('walkable', 'first', [[0, 0], [9, 0], [9, 9]])]).doc;
  doc = d.addStair(doc, ...d.layersOf(doc), [0, 0], [8, 0], 2).doc;
  doc = {...doc, scenario: {...doc.scenario, measure: [{line: [[0, 0], [1, 1]], layer: 'first', name: 'first'}], populations: [{name: 'first', start: {polygon: [], layer: 'first'}, goals: [{point: [1, 1], layer: 'ground'}]}]}};
  const renamed = renameStorey(doc, 'first', 'gallery');
  equal(d.layersOf(renamed).map(l => l.id), ['ground', 'gallery', 'stair 1'], 'storeys');
  equal(renamed.features.map(f => f.properties.layer ?? f.properties.layers), ['ground', 'gallery', 'stair 1', 'ground', 'gallery', ['ground', 'stair 1'], ['stair 1', 'gallery']], 'features and connections');
  equal([renamed.scenario.measure[0], renamed.scenario.populations[0]], [{line: [[0, 0], [1, 1]], layer: 'gallery', name: 'first'}, {name: 'first', start: {polygon: [], layer: 'gallery'}, goals: [{point: [1, 1], layer: 'ground'}]}], 'places, and names that only look like it');
  equal(d.layersOf(raiseStorey(doc, 'first', 5.5)).map(l => l.elevation), [0, 5.5, {ramp: [[0, 0, 0], [8, 0, 5.5]], stairs: true}], 'the stair leads to where the storey is');
  equal(d.layersOf(raiseStorey(doc, 'ground', -1))[2].elevation.ramp.map(p => p[2]), [-1, 4], 'its other end');
  const left = removeStorey(doc, 'first');
  equal([d.layersOf(left).map(l => l.id), left.features.map(f => f.properties.kind), left.keys.length], [['ground'], ['walkable'], 1], 'without it, its stair and the holes');
  equal(removeStorey(left, 'ground'), left, 'the last stays');
  const stair = doc.keys.filter((_, i) => doc.features[i].properties.layer === 'stair 1');
  const gone = withoutEmptyStairs(d.removeFeatures(doc, stair), doc);
  equal([d.layersOf(gone).length, gone.features.length], [2, 2], 'a stair whose floor is deleted is gone altogether');
});

test('what areas are for is said the same way everywhere', async () => {
  const {usesOf, roleOf} = await load('edit/uses');
  const doc = {...empty(), scenario: {populations: [{name: 'staff', count: 5, start: {area: 'a'}, goals: [{area: 'b'}, {nearest: ['c', 'd']}]}, {rate: 2, start: {area: 'b'}, goals: [{choose: {a: 1}}], at_goal: 'stay'}], measure: [{area: 'd'}]}};
  equal([...usesOf(doc)], [['a', ['staff start here (5)', 'people 2 go here']], ['b', ['staff go here', 'people 2 start here (2 a second)']], ['c', ['staff leave here']], ['d', ['staff leave here', 'density is measured here']]], 'in words');
  equal([...roleOf(doc)], [['a', 'start, goal'], ['b', 'start, goal'], ['c', 'exit'], ['d', 'exit, measured']], 'in a word');
});

test('an area that is renamed is renamed wherever it is used', async () => {
  const doc = d.docOf({throng: 1, environment: {type: 'FeatureCollection', features: []}, populations: [{start: {area: 'a'}, goals: [{nearest: ['a', 'b']}, {choose: {a: 1}}]}], measure: [{area: 'a'}]});
  const {populations, measure} = d.renameArea(doc, 'a', 'z').scenario;
  equal([populations, measure], [[{start: {area: 'z'}, goals: [{nearest: ['z', 'b']}, {choose: {z: 1}}]}], [{area: 'z'}]], 'everywhere');
});

test('the address holds what is shown, and nonsense in it is left out', async () => {
  const shown = {...state.usual, view: 'plan', storey: -3.5, layers: ['heat', 'areas'], colour: 'speed', time: 12.25, person: 7, camera: [1, 2, 3, 4, 5, 6, 7, 8, 9]};
  const back = state.fromAddress(state.toAddress(shown));
  equal({...back, layers: [...back.layers].sort()}, {...shown, layers: ['areas', 'heat']}, 'there and back');
  equal(state.fromAddress('#view=moon&lift=99&camera=1,2&t=soon&layers=nothing'), {...state.usual, layers: []}, 'nonsense');
  equal(state.toAddress(state.usual), '', 'what is usual needs no address');
});

test('a clip is WebM: elements fill one another, times and keys come back, the index points at clusters', async () => {
  const {webm} = await load('webm');
  const chunks = Array.from({length: 130}, (_, k) => ({time: 40 * k, isKey: k % 50 === 0, bytes: Uint8Array.from([k, k + 1, 7])}));
  const file = webm({codec: 'V_VP8', width: 320, height: 200, duration: 5200}, chunks);
  const masters = new Set([0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1f43b675, 0x1c53bb6b, 0xbb, 0xb7]), found = [];
  const read = (from, to, parent) => {
    for (let at = from; at < to;) {
      const start = at, first = file[at], length = first >= 0x80 ? 1 : first >= 0x40 ? 2 : first >= 0x20 ? 3 : 4;
      let id = 0;
      for (let i = 0; i < length; ++i) id = id * 256 + file[at + i];
      at += length;
      check(file[at] === 0x01, 'a size of eight bytes');
      let size = 0;
      for (let i = 1; i < 8; ++i) size = size * 256 + file[at + i];
      at += 8;
      check(at + size <= to, `element ${id.toString(16)} lies within its parent`);
      found.push({id, parent, start, content: file.subarray(at, at + size)});
      if (masters.has(id)) read(at, at + size, id);
      at += size;
    }
  };
  read(0, file.length, 0);
  const of = id => found.filter(e => e.id === id), number = bytes => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  equal(new TextDecoder().decode(of(0x4282)[0].content), 'webm', 'the type');
  equal([number(of(0xb0)[0].content), number(of(0xba)[0].content)], [320, 200], 'its size');
  let cluster = 0;
  const blocks = found.flatMap(e => {
    if (e.id === 0xe7) cluster = number(e.content);
    return e.id === 0xa3 ? [{time: cluster + new DataView(e.content.buffer, e.content.byteOffset).getInt16(1), isKey: (e.content[3] & 0x80) !== 0, bytes: e.content.slice(4)}] : [];
  });
  equal(blocks.map(b => [b.time, b.isKey, [...b.bytes]]), chunks.map(c => [c.time, c.isKey, [...c.bytes]]), 'all pictures, in order');
  const segment = of(0x18538067)[0], begins = of(0x1f43b675).map(c => c.start - (segment.start + 12));
  for (const position of of(0xf1)) check(begins.includes(number(position.content)), 'the index points at the beginning of a cluster');
  equal(of(0xf1).length, 3, 'a way in for every key');
});

await run(async () => rmSync(folder, {recursive: true}));
