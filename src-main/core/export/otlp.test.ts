import { expect, test } from 'vitest';
import { z } from 'zod';
import { exportOtlp } from './otlp.ts';
import { recording, recordings, textOf } from './sessions.fixture.ts';

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
const nanos = z.string().regex(/^\d{19}$/);
/** `opentelemetry/proto/common/v1`, `AnyValue`: numbers of 64 bits are texts, and exactly one of the kinds is there. */
const value: z.ZodType<object> = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.lazy(() => value)) }) }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
/** `opentelemetry/proto/trace/v1`, as its JSON mapping has it. */
const Span = z.strictObject({
  traceId: hex(16),
  spanId: hex(8),
  parentSpanId: hex(8).optional(),
  name: z.string().min(1),
  kind: z.number().int().min(1).max(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: nanos, name: z.string().min(1), attributes })),
  links: z.array(z.strictObject({ traceId: hex(16), spanId: hex(8), attributes })),
  status: z.strictObject({ code: z.number().int().min(0).max(2).optional(), message: z.string().optional() }),
});
const Export = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.tuple([
        z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(Span) }),
      ]),
    }),
  ]),
});
type Span = z.output<typeof Span>;

const spansOf = (text: string): readonly Span[] => Export.parse(JSON.parse(text)).resourceSpans[0].scopeSpans[0].spans;
const read = (span: Span, key: string): unknown =>
  Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0];

test.each(recordings)('%s is one tree of spans in the shape of the protocol', async (name) => {
  const input = await recording(name);
  const spans = spansOf(textOf(exportOtlp(input)));
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(ids.size).toBe(spans.length);
  expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map((span) => span.name)).toEqual(['session']);
  for (const span of spans) {
    expect(span.parentSpanId === undefined || ids.has(span.parentSpanId)).toBe(true);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    for (const link of span.links) expect(ids.has(link.spanId)).toBe(true);
  }
  const tools = spans.filter((span) => read(span, 'gen_ai.operation.name') === 'execute_tool');
  expect(tools.map((span) => read(span, 'gen_ai.tool.call.id'))).toEqual(input.state.calls.map(({ callId }) => callId));
  const chats = spans.filter((span) => read(span, 'gen_ai.operation.name') === 'chat');
  expect(chats).toHaveLength(input.state.requests.length);
});

test('a failed call says so, a victim points to its culprit, and guessed starts are marked', async () => {
  const input = await recording('cascade-stream');
  const spans = spansOf(textOf(exportOtlp(input)));
  const tools = spans.filter((span) => span.name.startsWith('execute_tool'));
  const failed = tools.filter((span) => read(span, 'gantry.outcome') === 'error');
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.every((span) => span.status.code === 2 && read(span, 'error.type') === 'error')).toBe(true);
  const victims = tools.filter((span) => span.links.length > 0);
  expect(victims.every((span) => failed.some(({ spanId }) => spanId === span.links[0]?.spanId))).toBe(true);
  expect(victims.length).toBeGreaterThan(0);
  const guessed = input.state.calls.filter((call) => 'run' in call && call.run?.timing.certainty === 'inferred');
  expect(tools.filter((span) => read(span, 'gantry.start.certainty') === 'inferred')).toHaveLength(guessed.length);
});

test('calls of a sub-agent hang on it, and it hangs on its call', async () => {
  const spans = spansOf(textOf(exportOtlp(await recording('agents-stream'))));
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const inner = spans.find((span) => span.name.startsWith('execute_tool') && read(span, 'gen_ai.agent.id') !== 'main');
  const agent = byId.get(inner?.parentSpanId ?? '');
  expect(agent?.name).toMatch(/^invoke_agent /);
  expect(byId.get(agent?.parentSpanId ?? '')?.name).toMatch(/^execute_tool (Agent|Task)$/);
});
