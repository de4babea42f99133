/**
 * JSON as every version of Perfetto's importer reads it (google/perfetto, src/trace_processor/importers/json): half a
 * surrogate pair is an error there, and since 2025 a quote behind a backslash does not end a text, though the backslash may
 * be an escaped one. Chrome's format itself allows both.
 */
export const perfettoJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(/\\+(?:"|ud[89a-f][\da-f]{2})/g, (found) => {
    const backslashes = found.lastIndexOf('\\') + 1;
    const isEscape = backslashes % 2 === 1;
    if (found.endsWith('"')) return isEscape ? found : `${found.slice(0, -3)}\\u005c"`;
    // JSON.stringify escapes halves alone; whole pairs are written as they are.
    return isEscape ? `${found.slice(0, backslashes - 1)}\uFFFD` : found;
  });
