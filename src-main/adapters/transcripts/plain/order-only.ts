import type { PlainBlock, PlainStep } from './session.ts';

/** Steps whose times were made up for an order there was: only the order is kept. */
export function withoutTimes(steps: readonly PlainStep[]): readonly PlainStep[] {
  return steps.map((step): PlainStep => {
    if (step.kind !== 'message') return { ...step, at: undefined };
    return { ...step, at: undefined, until: undefined, askedAt: undefined, blocks: step.blocks.map(blockWithoutTime) };
  });
}

function blockWithoutTime(block: PlainBlock): PlainBlock {
  if (block.kind !== 'call') return { ...block, at: undefined };
  const { start, end } = block.call;
  return {
    kind: 'call',
    call: {
      ...block.call,
      askedAt: undefined,
      start: start === 'never' ? 'never' : 'unknown',
      end: end === 'open' ? 'open' : 'unknown',
      group: 0,
    },
  };
}
