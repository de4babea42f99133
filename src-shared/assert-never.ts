/** Makes a forgotten member of a union a compile error, and a value from outside the union a clear failure. */
export function assertNever(value: never, what: string): never {
  throw new Error(`unexpected ${what}: ${JSON.stringify(value)}`);
}
