// Asks for numbers, names and choices; nothing where it was cancelled.
import {make} from './forms';
import type {Field} from './tools';

export function ask(dialog: HTMLDialogElement, title: string, fields: Field[]): Promise<Record<string, string> | null> {
  const inputs = fields.map(f => {
    const input = f.kind === 'choice' ? make('select') : make('input', {type: f.kind === 'number' ? 'number' : 'text', value: f.value});
    if (input instanceof HTMLSelectElement) input.append(...(f.options ?? []).map(o => new Option(o, o, false, o === f.value)));
    else if (f.kind === 'number') input.step = 'any';
    input.name = f.name;
    return make('label', {}, f.label, input);
  });
  const ok = make('button', {textContent: 'OK', className: 'primary', value: 'ok'}), cancel = make('button', {textContent: 'Cancel', value: 'cancel', type: 'button'});
  const form = make('form', {method: 'dialog'}, make('h2', {textContent: title}), ...inputs, make('div', {className: 'group'}, cancel, ok));
  cancel.addEventListener('click', () => dialog.close('cancel'));
  dialog.replaceChildren(form);
  dialog.returnValue = 'cancel';
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'ok' ? Object.fromEntries(new FormData(form) as unknown as Iterable<[string, string]>) : null), {once: true}));
}
