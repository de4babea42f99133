/** A file that is being written. Nobody sees it under its name before it is whole. */
export interface ExportFile {
  write(text: string): Promise<void>;
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** Gives it its name. @throws FailureError when there is one of this name that may not be replaced. */
  keep(): Promise<void>;
  /** Leaves nothing behind. Never throws. */
  drop(): Promise<void>;
}

/**
 * Opens a file for writing.
 * @throws FailureError when there is one of this name and it may not be replaced, or why it cannot be.
 */
export type OpenExportFile = (path: string, options: { readonly replace: boolean }) => Promise<ExportFile>;
