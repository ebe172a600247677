// Checks a workflow's input against the known steps.

const SOURCE_OPTIONS = ['limit', 'text', 'project'];

/** Warnings on an input; other processors may have other steps, so these are no errors. */
export function remarks(forms, steps, input) {
  if (!forms) return [];
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ['The input must be a JSON object.'];
  const byName = new Map(forms.steps.map((step) => [step.name, step]));
  const all = [];
  for (const [name, value] of Object.entries(input)) {
    const step = name.replace(/^\d+\./, '');
    const isStep = steps.includes(step) && (name === step || steps[Number.parseInt(name, 10)] === step);
    if (isStep && byName.has(step)) all.push(...options(name, byName.get(step), value, forms));
    else if (!isStep && !forms.sources.includes(name) && !SOURCE_OPTIONS.includes(name)) all.push(`“${name}” is no source of records (${forms.sources.join(', ')}) and none of the steps.`);
  }
  return all;
}

function options(name, step, value, forms) {
  if (forms.sources.includes(name) && typeof value !== 'object') return []; // `crawl` may name a source instead
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${name} must be an object with options.`];
  const known = [...step.options.map((each) => each.name), 'timeout'];
  return Object.keys(value).filter((option) => !known.includes(option)).map((option) => `${name} has no option “${option}”: it knows ${known.join(', ')}.`);
}

/** The step that reads this part of the input first: options belong to their step, records and sources to the first one. */
function readBy(name, steps) {
  const [, at, step] = /^(?:(\d+)\.)?(.*)$/s.exec(name);
  if (at !== undefined && steps[Number(at)] === step) return Number(at);
  return at === undefined ? Math.max(0, steps.indexOf(step)) : 0;
}

/** The differences of an input: `names`, and `step`, the first one that reads any of them; null without differences. */
export function changes(steps, before, after) {
  const [old, fresh] = [before ?? {}, after ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]));
  return names.length ? { names, step: Math.min(...names.map((name) => readBy(name, steps))) } : null;
}

/** A sample value for an option. */
export function sample(about) {
  if (/^object/.test(about) || /JSON Schema/.test(about)) return {};
  if (/^list/.test(about)) return [];
  if (/^true/.test(about)) return true;
  if (/^(the most|more|most|keywords|the longest)/.test(about)) return 10;
  const choice = /^([a-z]+)(?:,| or) /.exec(about);
  return choice && !/^(an?|the)$/.test(choice[1]) ? choice[1] : '';
}

export const EXAMPLES = [
  { name: 'Clean the price list', priority: 'medium', steps: ['validate', 'transform', 'store'], input: {
    records: [{ sku: 'A-1', title: 'Lamp', price: 19.9 }, { sku: 'A-2', title: 'Desk', price: 'soon' }, { sku: 'A-3', title: 'Chair', price: 49.5 }],
    validate: { rules: { sku: { required: true, pattern: '^A-[0-9]+$' }, price: { type: 'number', min: 0 } } },
    transform: { rename: { title: 'name' }, derive: { gross: '$round(price * 1.19, 2)' } }, store: { format: 'csv' } } },
  { name: 'What the docs are about', priority: 'low', steps: ['crawl', 'analyze', 'store'], input: {
    crawl: { url: 'https://example.org/docs/', maxPages: 200, scope: 'host' }, analyze: { annotate: true }, store: { format: 'parquet' } } },
  { name: 'Search results as a table', priority: 'medium', steps: ['export'], input: { search: 'tide mill', limit: 500, export: { format: 'xlsx', name: 'tide-mills' } } },
];
