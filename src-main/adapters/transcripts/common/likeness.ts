/**
 * How sure it is, 0 to 1, that the first objects of a file are of one format, by what each of them says for itself. One
 * sure object says much, a few strangers say little: every format gets new kinds of records all the time.
 */
export function likenessOf(head: readonly unknown[], likeness: (value: unknown) => number): number {
  if (head.length === 0) return 0;
  const rated = head.map(likeness);
  const sum = rated.reduce((total, one) => total + one, 0);
  return Math.min(1, Math.max(...rated) * (0.5 + (0.5 * sum) / head.length));
}
