// What areas are for, in words: who starts there, who goes there, what is measured there. The plan and the panels say the same.
import type {Doc, Json} from './document';

const add = (to: Map<string, string[]>, area: unknown, what: string): void => {
  if (typeof area !== 'string') return;
  const list = to.get(area) ?? [];
  if (!list.includes(what)) to.set(area, [...list, what]);
};

/** Names of the areas that a place of a population names. */
export const areasOf = (place: Json): string[] => [place?.area, ...(place?.nearest ?? []), ...Object.keys(place?.choose ?? {})].filter((name): name is string => typeof name === 'string');

export const nameOfPeople = (population: Json, index: number): string => population.name ?? `people ${index + 1}`;

export function usesOf(doc: Doc): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  ((doc.scenario.populations ?? []) as Json[]).forEach((population, i) => {
    const who = nameOfPeople(population, i), many = population.rate !== undefined ? `${typeof population.rate === 'number' ? population.rate : '…'} a second` : population.count;
    add(uses, population.start?.area, `${who} start here${many === undefined ? '' : ` (${many})`}`);
    ((population.goals ?? []) as Json[]).forEach((goal, g, all) => {
      for (const area of areasOf(goal)) add(uses, area, g === all.length - 1 && population.at_goal !== 'stay' ? `${who} leave here` : `${who} go here`);
    });
  });
  for (const measure of (doc.scenario.measure ?? []) as Json[]) add(uses, measure.area, 'density is measured here');
  return uses;
}

/** The same in a word or two, for a label in the plan. */
export function roleOf(doc: Doc): Map<string, string> {
  const roles = new Map<string, string>();
  for (const [area, uses] of usesOf(doc)) {
    const words = [['start', /start here/], ['exit', /leave here/], ['goal', /go here/], ['measured', /measured/]].filter(([, pattern]) => uses.some(use => (pattern as RegExp).test(use))).map(([word]) => word as string);
    if (words.length > 0) roles.set(area, words.join(', '));
  }
  return roles;
}
