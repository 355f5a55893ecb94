// Forms made of the schema of scenarios (schemas/scenario.schema.json): every method with its numbers, their limits and what they mean, so that a
// method that is added to the program has its form here without a line of code.
import type {Json} from './document';

export type Schema = Json;
type Change = (value: Json | undefined) => void;

/** `#/definitions/x` followed. */
export function resolve(root: Schema, schema: Schema): Schema {
  let at = schema;
  while (at && at.$ref) {
    const target = String(at.$ref).replace(/^#\//, '').split('/').reduce((node: Json, part) => node?.[part], root);
    const {$ref: _gone, ...own} = at;
    at = {...target, ...own};
  }
  return at;
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

const words = (name: string): string => name.replace(/_/g, ' ');

/** A number, or a number that everybody draws for themselves. */
function numberOrDistribution(root: Schema, schema: Schema, value: Json, change: Change, label: string): HTMLElement {
  // What no form fits (shares, tables by age) is shown as it is said, and stays unless another is chosen.
  const kinds: Record<string, string> = {number: 'one value', normal: 'normal', uniform: 'uniform', written: 'as written'};
  const kind = value && typeof value === 'object' ? Object.keys(kinds).find(k => k in value) ?? 'written' : 'number';
  const box = make('span', {className: 'distribution'});
  const select = make('select', {title: 'how it is spread over people'});
  select.setAttribute('aria-label', `${label}: how it is spread`);
  for (const [k, text] of Object.entries(kinds)) if (k !== 'written' || kind === 'written') select.append(new Option(text, k, false, k === kind));
  const limits = (resolve(root, schema).anyOf ?? [schema]).find((s: Schema) => s.type === 'number') ?? {};
  const number = (text: string, v: number | undefined, set: (v: number | undefined) => void, name: string): HTMLElement => {
    const input = make('input', {type: 'number', step: 'any', value: v === undefined ? '' : String(v), placeholder: text});
    input.setAttribute('aria-label', `${label}: ${name}`);
    if (limits.minimum !== undefined) input.min = String(limits.minimum);
    if (limits.maximum !== undefined) input.max = String(limits.maximum);
    input.addEventListener('change', () => set(input.value === '' ? undefined : Number(input.value)));
    return input;
  };
  select.addEventListener('change', () => {
    const typical = typeof value === 'number' ? value : value?.normal?.[0] ?? value?.uniform?.[0] ?? schema.default ?? 1;
    change(select.value === 'number' ? typical : select.value === 'normal' ? {normal: [typical, 0.1 * typical]} : {uniform: [0.8 * typical, 1.2 * typical]});
  });
  box.append(select);
  if (kind === 'number') box.append(number(schema.default !== undefined ? String(typeof schema.default === 'object' ? '' : schema.default) : '', typeof value === 'number' ? value : undefined, change, 'value'));
  else if (kind === 'written') box.append(make('span', {className: 'hint', textContent: JSON.stringify(value)}));
  else {
    const pair = value[kind] as number[];
    box.append(number(kind === 'normal' ? 'mean' : 'from', pair[0], v => change({...value, [kind]: [v ?? 0, pair[1]]}), kind === 'normal' ? 'mean' : 'from'),
               number(kind === 'normal' ? 'deviation' : 'to', pair[1], v => change({...value, [kind]: [pair[0], v ?? 0]}), kind === 'normal' ? 'deviation' : 'to'));
    if (kind === 'normal')
      for (const end of ['min', 'max'])
        box.append(number(end, value[end], v => { const {[end]: _old, ...rest} = value; change(v === undefined ? rest : {...rest, [end]: v}); }, end));
  }
  return box;
}

const isNumber = (s: Schema): boolean => s.type === 'number' || s.type === 'integer';
const isMethod = (root: Schema, s: Schema): boolean => (s.anyOf ?? []).length > 0 && s.anyOf.every((o: Schema) => resolve(root, o).properties?.method?.enum);

/** One member of an object: its label, what it means, and what it is set to. */
export function field(root: Schema, name: string, raw: Schema, value: Json, change: Change): HTMLElement {
  const schema = resolve(root, raw), label = words(name);
  const help = schema.description ? make('span', {className: 'help', textContent: schema.description}) : '';
  if (isMethod(root, schema)) return method(root, name, schema, value, change);
  const row = make('div', {className: 'field'});
  const caption = make('label', {}, label);
  const options = (schema.anyOf ?? [schema]).map((s: Schema) => resolve(root, s));
  let control: HTMLElement;
  if (options.some(isNumber) && options.length > 1) control = numberOrDistribution(root, schema, value, change, label);
  else if (isNumber(schema)) {
    const input = make('input', {type: 'number', step: schema.type === 'integer' ? '1' : 'any', value: value === undefined ? '' : String(value), placeholder: schema.default === undefined ? '' : String(schema.default)});
    if (schema.minimum !== undefined) input.min = String(schema.minimum);
    if (schema.maximum !== undefined) input.max = String(schema.maximum);
    input.addEventListener('change', () => change(input.value === '' ? undefined : Number(input.value)));
    control = input;
  } else if (schema.type === 'boolean') {
    const input = make('input', {type: 'checkbox', checked: value ?? schema.default ?? false});
    input.addEventListener('change', () => change(input.checked));
    control = input;
  } else if (schema.enum) {
    const select = make('select');
    // Where nothing is usual, nothing is chosen until somebody does.
    if (schema.default === undefined) select.append(new Option('—', '', false, value === undefined));
    for (const option of schema.enum) select.append(new Option(String(option), String(option), false, option === (value ?? schema.default)));
    select.addEventListener('change', () => change(select.value === '' ? undefined : select.value));
    control = select;
  } else if (schema.type === 'string') {
    const input = make('input', {type: 'text', value: value ?? ''});
    input.addEventListener('change', () => change(input.value === '' ? undefined : input.value));
    control = input;
  } else if (schema.type === 'object' && schema.properties) {
    const inner = make('fieldset', {}, make('legend', {textContent: label}), object(root, schema, value ?? {}, v => change(Object.keys(v).length > 0 ? v : undefined)));
    if (help) inner.append(help);
    return inner;
  } else if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return byName(root, label, schema, value ?? {}, change, help);
  else control = asText(value, change);
  control.id ||= `f${++fields}`;
  caption.htmlFor = control.id;
  if (!control.getAttribute('aria-label')) control.setAttribute('aria-label', label);
  row.append(caption, control, help);
  return row;
}
let fields = 0;

/** Values by names that are the user's own (what a type of ground weighs): a line each, and one to add another. */
function byName(root: Schema, label: string, schema: Schema, value: Record<string, Json>, change: Change, help: Node | string): HTMLElement {
  const box = make('fieldset', {}, make('legend', {textContent: label}));
  if (help) box.append(help);
  const set = (name: string, v: Json | undefined): void => {
    const {[name]: _old, ...rest} = value, next = v === undefined ? rest : {...value, [name]: v};
    change(Object.keys(next).length > 0 ? next : undefined);
  };
  for (const name of Object.keys(value)) box.append(field(root, name, schema.additionalProperties, value[name], v => set(name, v)));
  const fresh = make('input', {type: 'text', placeholder: 'another name'});
  fresh.setAttribute('aria-label', `${label}: another name`);
  fresh.addEventListener('change', () => { if (fresh.value && !(fresh.value in value)) set(fresh.value, 1); });
  box.append(fresh);
  return box;
}

/** What no form fits stays as JSON. */
function asText(value: Json, change: Change): HTMLElement {
  const input = make('input', {type: 'text', value: value === undefined ? '' : JSON.stringify(value), placeholder: 'JSON'});
  input.addEventListener('change', () => {
    try {
      change(input.value.trim() === '' ? undefined : JSON.parse(input.value));
      input.setCustomValidity('');
    } catch {
      input.setCustomValidity('this is no JSON');
      input.reportValidity();
    }
  });
  return input;
}

/** A choice of methods; the numbers of the one chosen below it. */
function method(root: Schema, name: string, schema: Schema, value: Json, change: Change): HTMLElement {
  const options: Schema[] = schema.anyOf.map((o: Schema) => resolve(root, o));
  const nameOf = (o: Schema): string => o.properties.method.enum[0];
  const usual = options.find(o => !(o.required ?? []).includes('method')) ?? options[0];
  const chosen = options.find(o => nameOf(o) === value?.method) ?? (value ? usual : usual);
  const select = make('select');
  select.setAttribute('aria-label', words(name));
  for (const o of options) select.append(new Option(nameOf(o) + (o === usual ? ' (usual)' : ''), nameOf(o), false, o === chosen));
  select.addEventListener('change', () => change({method: select.value}));
  const box = make('fieldset', {className: 'method'}, make('legend', {textContent: words(name)}), select);
  if (chosen.description) box.append(make('span', {className: 'help', textContent: chosen.description}));
  const {method: _m, ...others} = chosen.properties;
  for (const [member, s] of Object.entries(others))
    box.append(field(root, member, s as Schema, value?.[member], v => {
      const {[member]: _old, ...rest} = value ?? {};
      const next = v === undefined ? rest : {...rest, [member]: v};
      change(Object.keys(next).length === 0 ? undefined : 'method' in next || chosen === usual ? next : {method: nameOf(chosen), ...next});
    }));
  return box;
}

/** A form for an object; members that the schema does not know stay as they are. */
export function object(root: Schema, raw: Schema, value: Record<string, Json>, change: (value: Record<string, Json>) => void, only?: string[]): HTMLElement {
  const schema = resolve(root, raw), box = make('div', {className: 'form'});
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (only && !only.includes(name)) continue;
    box.append(field(root, name, member as Schema, value[name], v => {
      const {[name]: _old, ...rest} = value;
      change(v === undefined ? rest : {...value, [name]: v});
    }));
  }
  return box;
}

export {make};
