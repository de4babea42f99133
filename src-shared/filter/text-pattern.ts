/** The text as it stands, in any case. Copies in lower case of every output would cost more than the search itself. */
export const textPattern = (text: string): RegExp | undefined =>
  text.trim() === '' ? undefined : new RegExp(text.trim().replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i');
