import { createHash } from 'node:crypto';

/** A value as OTLP/JSON writes it: 64-bit integers are text. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };
export type OtlpAttribute = { readonly key: string; readonly value: OtlpValue };
export type OtlpSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes: readonly OtlpAttribute[];
  }[];
  readonly links: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes: readonly OtlpAttribute[];
  }[];
  readonly status: { readonly code?: number; readonly message?: string };
};

/** SPAN_KIND_*: enumerations are numbers in OTLP/JSON. */
export const kindOf = { internal: 1, client: 3 } as const;
/** STATUS_CODE_*. */
export const codeOf = { ok: 1, error: 2 } as const;

export type Plain = string | number | boolean | readonly string[] | undefined;

/** Attributes of what is known; what is undefined or empty is left out. */
export const valuesOf = (facts: Readonly<Record<string, Plain>>): readonly OtlpAttribute[] =>
  Object.entries(facts).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [{ key, value: valueFor(value) }],
  );

function valueFor(value: Exclude<Plain, undefined>): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

/** An id of so many bytes as hex, the same for the same text. Never all zeros. */
export const hexId = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);

/**
 * Nanoseconds since 1970 as text: too large for a double. Kept to whole microseconds, which is what was measured at most.
 * @param startedAt wall ms of session time 0.
 * @param t session time in ms.
 */
export const nanos = (startedAt: number, t: number): string =>
  String(BigInt(Math.round((startedAt + t) * 1000)) * 1000n);
