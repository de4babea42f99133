import type { Attention, Note } from './attention.ts';

/** Attention in a test's hand. */
export class HandAttention implements Attention {
  focused = false;
  count = 0;
  readonly notes: Note[] = [];

  isFocused(): boolean {
    return this.focused;
  }

  badge(count: number): void {
    this.count = count;
  }

  notify(note: Note): void {
    this.notes.push(note);
  }
}
