// Validates a value by the part of JSON Schema that forms use: types, required and unknown members, enums, bounds. Other keywords are ignored.

const TYPES = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

function* bounds(schema, value) {
  const size = typeof value === 'string' ? ['characters', 'minLength', 'maxLength'] : Array.isArray(value) ? ['items', 'minItems', 'maxItems'] : null;
  if (size && value.length < (schema[size[1]] ?? 0)) yield `must have at least ${schema[size[1]]} ${size[0]}`;
  if (size && value.length > (schema[size[2]] ?? Infinity)) yield `must have at most ${schema[size[2]]} ${size[0]}`;
  if (typeof value === 'number' && value < (schema.minimum ?? -Infinity)) yield `must be at least ${schema.minimum}`;
  if (typeof value === 'number' && value > (schema.maximum ?? Infinity)) yield `must be at most ${schema.maximum}`;
}

function* members(schema, value, path) {
  for (const name of schema.required ?? []) if (!(name in value)) yield { path: `${path}/${name}`, message: 'is needed' };
  for (const [name, each] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties ?? {}, name);
    if (known) yield* faults(schema.properties[name], each, `${path}/${name}`);
    else if (schema.additionalProperties === false) yield { path: `${path}/${name}`, message: `is not known: expected ${Object.keys(schema.properties ?? {}).join(', ') || 'nothing'}` };
  }
}

/** The violations of a value: {path, message}. */
export function* faults(schema, value, path = '') {
  if (!schema || typeof schema !== 'object') return;
  const types = [schema.type ?? []].flat();
  if (types.length && !types.some((type) => TYPES[type]?.(value) ?? true)) {
    yield { path, message: `must be ${types.map((type) => (/^[aio]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`)).join(' or ')}` };
    return;
  }
  if (schema.enum && !schema.enum.includes(value)) yield { path, message: `must be one of ${schema.enum.join(', ')}` };
  for (const message of bounds(schema, value)) yield { path, message };
  if (Array.isArray(value) && schema.items) for (const [at, each] of value.entries()) yield* faults(schema.items, each, `${path}/${at}`);
  if (TYPES.object(value)) yield* members(schema, value, path);
  if (schema.anyOf && !schema.anyOf.some((each) => faults(each, value, path).next().done)) {
    const ways = schema.anyOf.map((each) => each.required?.join(' and ')).filter(Boolean);
    yield { path, message: ways.length ? `must have ${ways.join(' or ')}` : 'fits none of the ways that are allowed' };
  }
  const fitting = schema.oneOf?.filter((each) => faults(each, value, path).next().done) ?? [];
  if (schema.oneOf && fitting.length !== 1) {
    const ways = (fitting.length ? fitting : schema.oneOf).map((each) => each.required?.join(' and ')).filter(Boolean);
    yield { path, message: !ways.length ? 'must fit exactly one of the ways that are allowed' : fitting.length ? `must have only one of ${ways.join(' and ')}` : `must have either ${ways.join(' or ')}` };
  }
}
