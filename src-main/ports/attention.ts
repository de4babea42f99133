/** A word of the system's, outside of our windows. */
export type Note = {
  readonly title: string;
  readonly body: string;
  /** Makes no sound. */
  readonly quiet: boolean;
  /** The person has chosen it. */
  readonly onClick: () => void;
};

/** How a person who looks elsewhere learns that something waits for them. */
export interface Attention {
  /** Does a window of ours have the keyboard? Then its screen says everything itself. */
  isFocused(): boolean;
  /** The number at the app's icon; 0 takes it away. */
  badge(count: number): void;
  notify(note: Note): void;
}
