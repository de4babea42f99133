import type { EventOf } from '../../../src-shared/session/event.ts';

type Growing = EventOf<'block-growing'>;

/**
 * A block on its way is told in pieces, and a secret may lie over two of them. Where the whole block follows, its pieces
 * are left empty; where it never came, the last piece tells all there was.
 */
export class GrowingBlocks {
  readonly #pending = new Map<string, { text: string; lastSeq: number }>();

  learn(event: Growing | EventOf<'block-arrived'>): void {
    const key = keyOf(event);
    if (event.type === 'block-arrived') {
      this.#pending.delete(key);
      return;
    }
    const known = this.#pending.get(key);
    this.#pending.set(key, { text: (known?.text ?? '') + event.added, lastSeq: event.seq });
  }

  told(event: Growing): Growing {
    const pending = this.#pending.get(keyOf(event));
    return { ...event, added: pending?.lastSeq === event.seq ? pending.text : '' };
  }
}

const keyOf = ({ messageId, index }: { readonly messageId: string; readonly index: number }): string =>
  `${index} ${messageId}`;
