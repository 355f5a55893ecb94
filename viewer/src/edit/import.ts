// Which layer of a CAD plan means what: listed with what the reader takes it for, to be chosen otherwise.
import {make} from './forms';

const roles: [string, string][] = [['walls', 'walls'], ['doors', 'doors'], ['walkable', 'floor'], ['obstacles', 'obstacles'], ['regions', 'ground types'], ['areas', 'named areas'], ['ignored', 'left out']];

/** The query that reads the plan again; nothing where it stays as it is. */
export function openPlanDialog(dialog: HTMLDialogElement, layers: {name: string; role: string; shapes: number; hidden: boolean}[]): Promise<string | null> {
  const selects = new Map<string, HTMLSelectElement>();
  const rows = layers.filter(l => l.shapes > 0).map(layer => {
    const select = make('select');
    select.setAttribute('aria-label', `layer ${layer.name}`);
    select.append(...roles.map(([role, text]) => new Option(text, role, false, role === layer.role)));
    selects.set(layer.name, select);
    return make('tr', {}, make('td', {textContent: layer.name + (layer.hidden ? ' (hidden)' : '')}), make('td', {textContent: layer.shapes === 1 ? 'one shape' : `${layer.shapes} shapes`}), make('td', {}, select));
  });
  const units = make('select', {name: 'units'});
  units.append(new Option('as the drawing says', ''), new Option('millimetres', '0.001'), new Option('centimetres', '0.01'), new Option('metres', '1'), new Option('inches', '0.0254'), new Option('feet', '0.3048'));
  const outside = make('input', {type: 'number', name: 'outside', step: 'any', min: '0', value: '0'});
  const rooms = make('input', {type: 'checkbox', checked: true});
  const ok = make('button', {textContent: 'Use these layers', className: 'primary', value: 'ok'}), keep = make('button', {textContent: 'Keep as it is', type: 'button'});
  const form = make('form', {method: 'dialog'}, make('h2', {textContent: 'Layers of the plan'}), make('table', {className: 'table'}, make('tbody', {}, ...rows)), make('label', {}, 'Unit', units),
    make('label', {}, 'People may walk around the building, metres', outside), make('label', {className: 'check'}, rooms, ' make an area of every room'), make('div', {className: 'group'}, keep, ok));
  keep.addEventListener('click', () => dialog.close('keep'));
  dialog.replaceChildren(form);
  dialog.returnValue = 'keep';
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'ok') return resolve(null);
    const query = new URLSearchParams();
    for (const [name, select] of selects) query.set(`layer:${name}`, select.value);
    if (units.value) query.set('units', units.value);
    if (Number(outside.value) > 0) query.set('outside', outside.value);
    if (!rooms.checked) query.set('rooms', '0');
    resolve(query.toString());
  }, {once: true}));
}
