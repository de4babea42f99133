/** The long texts of an imported session, which its events hold only the beginning of. */
export interface WholeTexts {
  /** @throws FailureError when the file is not what it was. */
  read(id: number): Promise<string>;
  /** Several, one after the other, in the order they were asked for. */
  readAll(ids: Iterable<number>): AsyncGenerator<{ readonly id: number; readonly text: string }>;
}
