import { z } from 'zod';

/** What zod cannot say, or what may cost a server's guest dearly: the server looks at all of its input itself. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'pattern',
  'format',
  'default',
  'patternProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentSchema',
  '$dynamicRef',
  '$dynamicAnchor',
  '$id',
  '$anchor',
]);
/** Keys whose values are names, not schemas. */
const NAMES_OF: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'examples']);
const DEEPEST = 40;

/**
 * The zod schema of a tool, made of the JSON Schema of its server. It names missing parameters and wrong types before a
 * call is made; what it does not understand it lets pass. The input itself stays as it came. Never throws.
 */
export function schemaOfInput(jsonSchema: unknown): z.ZodType<unknown> {
  const inner = fromJson(jsonSchema) ?? onlyRequired(jsonSchema);
  return z.unknown().superRefine((value, context) => {
    const parsed = inner.safeParse(value);
    if (parsed.success) return;
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never);
  });
}

function fromJson(jsonSchema: unknown): z.ZodType | undefined {
  try {
    const schema = z.fromJSONSchema(simplified(jsonSchema, 0) as Parameters<typeof z.fromJSONSchema>[0]);
    // Some faults only show when a value is looked at.
    schema.safeParse({});
    return schema;
  } catch {
    return undefined;
  }
}

function simplified(schema: unknown, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (depth > DEEPEST) return {};
  if (Array.isArray(schema)) return schema.map((each) => simplified(each, depth + 1));
  const { $ref } = schema as { readonly $ref?: unknown };
  if (typeof $ref === 'string' && !$ref.startsWith('#')) return {};
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !LEFT_OUT.has(key))
      .map(([key, value]) => {
        if (VALUES.has(key)) return [key, value];
        if (!NAMES_OF.has(key) || typeof value !== 'object' || value === null)
          return [key, simplified(value, depth + 1)];
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, each]) => [name, simplified(each, depth + 1)])),
        ];
      }),
  );
}

/** For schemas that zod cannot take at all. */
function onlyRequired(jsonSchema: unknown): z.ZodType {
  const { required } = (jsonSchema ?? {}) as { readonly required?: unknown };
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const anything = z.unknown().refine((value) => value !== undefined);
  return z.looseObject(Object.fromEntries(names.map((name) => [name, anything])));
}
