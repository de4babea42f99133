import { type Fields, fieldsOf, listAt, numberAt, textAt, timeOf } from '../common/fields.ts';

/** What a span is of, for a session. */
export type SpanKind = 'agent' | 'model' | 'tool' | 'other';

/** A span of any exporter, with plain attributes. Times are wall ms. */
export type Span = {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly traceId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly from: number;
  readonly until: number;
  /** It has an end of its own. */
  readonly ended: boolean;
  readonly attributes: Fields;
  readonly events: readonly { readonly name: string; readonly at: number | undefined }[];
  readonly failed: boolean;
  readonly message: string | undefined;
  readonly resource: Fields;
};

/** The plain value of an OTLP value, which names its type. */
export function plainValue(value: unknown): unknown {
  const fields = fieldsOf(value);
  if (fields === undefined) return value;
  if ('stringValue' in fields) return fields.stringValue;
  if ('intValue' in fields) return Number(fields.intValue);
  if ('doubleValue' in fields) return fields.doubleValue;
  if ('boolValue' in fields) return fields.boolValue;
  if ('arrayValue' in fields) return listAt(fieldsOf(fields.arrayValue), 'values').map(plainValue);
  if ('kvlistValue' in fields) return attributesOf(listAt(fieldsOf(fields.kvlistValue), 'values'));
  return undefined;
}

/** Attributes as OTLP lists them, or as an object. */
export function attributesOf(value: unknown): Fields {
  if (!Array.isArray(value)) return fieldsOf(value) ?? {};
  const found: Record<string, unknown> = {};
  for (const one of value) {
    const fields = fieldsOf(one);
    const key = textAt(fields, 'key');
    if (key === undefined) continue;
    const plain = plainValue(fields?.value);
    Object.defineProperty(found, key, { value: plain, enumerable: true, configurable: true, writable: true });
  }
  return found;
}

/** Nanoseconds since 1970, as text because they do not fit a number, as wall ms. */
export function timeOfNanos(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) {
    const ms = Number(BigInt(value) / 1000n) / 1000;
    return ms > 0 ? ms : undefined;
  }
  return typeof value === 'number' && value > 0 ? value / 1e6 : undefined;
}

/** All spans in one object: an OTLP request, or one span of an exporter that writes them singly. */
export function spansIn(value: unknown): readonly Span[] {
  const fields = fieldsOf(value);
  if (fields === undefined) return [];
  if (!Array.isArray(fields.resourceSpans)) return [spanOf(fields, {})].filter((span) => span !== undefined);
  return fields.resourceSpans.flatMap((one) => {
    const group = fieldsOf(one);
    const resource = attributesOf(fieldsOf(group?.resource)?.attributes);
    const scopes = [...listAt(group, 'scopeSpans'), ...listAt(group, 'instrumentationLibrarySpans')];
    return scopes.flatMap((scope) =>
      listAt(fieldsOf(scope), 'spans').flatMap((span) => {
        const read = spanOf(fieldsOf(span) ?? {}, resource);
        return read === undefined ? [] : [read];
      }),
    );
  });
}

function spanOf(fields: Fields, resource: Fields): Span | undefined {
  const context = fieldsOf(fields.context);
  const id = textAt(fields, 'spanId') ?? textAt(fields, 'span_id') ?? textAt(context, 'span_id');
  const from = timeOfNanos(fields.startTimeUnixNano) ?? timeOf(fields.start_time);
  if (id === undefined || from === undefined) return undefined;
  const until = timeOfNanos(fields.endTimeUnixNano) ?? timeOf(fields.end_time);
  const attributes = attributesOf(fields.attributes);
  const status = fieldsOf(fields.status);
  const code = status?.code ?? fields.status_code ?? status?.status_code;
  const parentId = textAt(fields, 'parentSpanId') ?? textAt(fields, 'parent_id') ?? textAt(fields, 'parent_span_id');
  return {
    id,
    // Some exporters write an empty one.
    parentId: parentId || undefined,
    traceId: textAt(fields, 'traceId') ?? textAt(fields, 'trace_id') ?? textAt(context, 'trace_id'),
    name: textAt(fields, 'name') ?? 'span',
    kind: kindOf(fields, attributes),
    from,
    until: Math.max(from, until ?? from),
    ended: until !== undefined,
    attributes,
    events: listAt(fields, 'events').flatMap((one) => {
      const event = fieldsOf(one);
      const name = textAt(event, 'name');
      return name === undefined ? [] : [{ name, at: timeOfNanos(event?.timeUnixNano) ?? timeOf(event?.timestamp) }];
    }),
    failed: code === 2 || /^(?:STATUS_CODE_)?ERROR$/i.test(String(code ?? '')) || 'error.type' in attributes,
    message: textAt(status, 'message') ?? textAt(fields, 'status_message'),
    resource,
  };
}

const OPERATIONS: Readonly<Record<string, SpanKind>> = {
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'other',
  chat: 'model',
  text_completion: 'model',
  generate_content: 'model',
};
const OPENINFERENCE: Readonly<Record<string, SpanKind>> = { TOOL: 'tool', LLM: 'model', AGENT: 'agent' };

function kindOf(fields: Fields, attributes: Fields): SpanKind {
  const operation = OPERATIONS[textAt(attributes, 'gen_ai.operation.name') ?? ''];
  if (operation !== undefined) return operation;
  const named = textAt(fields, 'span_kind') ?? textAt(attributes, 'openinference.span.kind');
  return OPENINFERENCE[named?.toUpperCase() ?? ''] ?? 'other';
}

/** Is it a span of an agent, a model or a tool by one of the two conventions? */
export const isGenAi = (span: Span): boolean =>
  span.kind !== 'other' || Object.keys(span.attributes).some((key) => /^(?:gen_ai|llm|openinference)\./.test(key));

export const numberIn = (span: Span, ...names: readonly string[]): number | undefined => {
  for (const name of names) {
    const found = numberAt(span.attributes, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const textIn = (span: Span, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const found = textAt(span.attributes, name);
    if (found !== undefined) return found;
  }
  return undefined;
};
