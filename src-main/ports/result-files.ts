/** Where whole outputs are kept, as the stages ask for it. Paths are absolute. */
export interface ResultFiles {
  /** The file that belongs to this call. Its folder exists, unless the disk refuses, which shows when it is written. */
  pathFor(callId: string): string;
  /** Writes a whole text. Fails with an Error whose message is fit for a person (disk full, read-only folder). */
  save(callId: string, text: string): Promise<{ readonly path: string; readonly bytes: number }>;
  /** The first bytes of a file. */
  head(path: string, bytes: number): Promise<Uint8Array>;
  /** The whole file as text; only for files known to be small. Bytes that are not UTF-8 become U+FFFD. */
  text(path: string): Promise<string>;
  remove(path: string): Promise<void>;
  /** When any file was last changed, in ms; undefined when it is not there. */
  mtimeOf(path: string): Promise<number | undefined>;
}
