/** A foreign object before anything is known of it. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object, or undefined. Lists are not objects here. */
export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const textAt = (fields: Fields | undefined, key: string): string | undefined => {
  const value = fields?.[key];
  return typeof value === 'string' ? value : undefined;
};

export const numberAt = (fields: Fields | undefined, key: string): number | undefined => {
  const value = fields?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

export const listAt = (fields: Fields | undefined, key: string): readonly unknown[] => {
  const value = fields?.[key];
  return Array.isArray(value) ? value : [];
};

/** Milliseconds since 1970 of a recorded time, or undefined where there is none to be had. */
export function timeOf(timestamp: unknown): number | undefined {
  if (typeof timestamp === 'number') {
    if (!Number.isFinite(timestamp) || timestamp <= 0) return undefined;
    // Seconds and milliseconds are both in use; nothing was recorded before 2001 or after 5138.
    const at = timestamp < 1e11 ? timestamp * 1000 : timestamp;
    return at <= LAST_DATE ? at : undefined;
  }
  if (typeof timestamp !== 'string') return undefined;
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? undefined : at;
}

/** What a `Date` can hold. */
const LAST_DATE = 8.64e15;
