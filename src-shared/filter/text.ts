/** Does any string or number somewhere in an input fit? Names of fields are no text of the call. */
export function callText(input: unknown, test: (text: string) => boolean): boolean {
  if (typeof input === 'string') return test(input);
  if (typeof input === 'number') return test(String(input));
  if (typeof input !== 'object' || input === null) return false;
  return (Array.isArray(input) ? input : Object.values(input)).some((part) => callText(part, test));
}
