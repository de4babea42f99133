/** Where whole outputs are kept, as the stages ask for it. Paths are absolute. */
export interface ResultFiles {
  /**
   * The file that belongs to this call. Where the results' folder takes nothing (read-only, full), it lies in a spare
   * one, so that the call can run all the same; it cannot stay there.
   */
  pathFor(callId: string): string;
  /** The file may stay. Fails as `save` does when it lies in the spare folder. */
  keep(path: string): Promise<void>;
  /** Why what this call has written to its file may not be whole (the disk is full); undefined while there is room. */
  shortage(callId: string): Promise<string | undefined>;
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
