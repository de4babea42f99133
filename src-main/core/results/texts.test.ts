import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CancelReason } from '../../../src-shared/tool-call/event.ts';
import { cancelledOutcome, cancelledResult, cutText, describeCall, rejectedText, toolError } from './texts.ts';

const textOf = (reason: CancelReason, culprit?: { tool: string; summary: string }): unknown =>
  cancelledResult(reason, culprit).content[0];

// Recorded: interactive.
const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

describe('a rejected call', () => {
  test('answers in the words that other programs know', () => {
    expect(rejectedText()).toBe(REJECTED);
  });

  test('with feedback answers with the same beginning and the feedback', () => {
    expect(rejectedText('use pnpm')).toBe(
      `${REJECTED.slice(0, REJECTED.indexOf(' STOP'))} To tell you how to proceed, the user said:\nuse pnpm`,
    );
  });
});

describe('a cancelled call', () => {
  // Recorded: cascade-stream, hooks-stream, errors-stream.
  test.each([
    [{ tool: 'Bash', summary: 'ls missing-folder' }, 'Bash(ls missing-folder)'],
    [{ tool: 'Bash', summary: '' }, 'Bash'],
    [undefined, 'unknown'],
  ])('names its culprit: %o', (culprit, name) => {
    expect(textOf('sibling_error', culprit)).toEqual({
      type: 'text',
      text: `<tool_use_error>Cancelled: parallel tool call ${name} errored</tool_use_error>`,
    });
  });

  test('of a broken stream says so', () => {
    expect(textOf('discarded')).toEqual({
      type: 'text',
      text: '<tool_use_error>Streaming fallback - tool execution discarded</tool_use_error>',
    });
  });

  test.each(['interrupt', 'escape', 'shutdown'] as const)('by %s answers like a rejected one', (reason) => {
    expect(textOf(reason)).toEqual({ type: 'text', text: REJECTED });
    expect(cancelledOutcome(reason)).toBe('interrupted');
  });

  test('is an error for every reason, and its outcome tells them apart', () => {
    const outcomes = CancelReason.options.map((reason) => {
      expect(cancelledResult(reason, undefined).isError).toBe(true);
      return [reason, cancelledOutcome(reason)];
    });
    expect(Object.fromEntries(outcomes)).toEqual({
      sibling_error: 'cancelled',
      refused: 'cancelled',
      'cut-off': 'cancelled',
      discarded: 'discarded',
      interrupt: 'interrupted',
      escape: 'interrupted',
      shutdown: 'interrupted',
    });
  });
});

test('a call is described in one line of forty characters of its summary', () => {
  expect(describeCall({ tool: 'Bash', summary: ' mkdir  /tmp/x \n' })).toBe('Bash(mkdir /tmp/x)');
  expect(describeCall({ tool: 'Bash', summary: 'x'.repeat(40) })).toBe(`Bash(${'x'.repeat(40)})`);
  expect(describeCall({ tool: 'Bash', summary: 'x'.repeat(41) })).toBe(`Bash(${'x'.repeat(40)}…)`);
  expect(describeCall({ tool: 'Bash', summary: `${'x'.repeat(39)}😀` })).toBe(`Bash(${'x'.repeat(39)}…)`);
});

test('a cut text is a beginning and never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '😀') }), fc.nat(12), (text, most) => {
      const cut = cutText(text, most, '…');
      if (text.length <= most) {
        expect(cut).toBe(text);
        return;
      }
      expect(text.startsWith(cut.slice(0, -1))).toBe(true);
      expect(cut.length - 1).toBeGreaterThanOrEqual(most - 1);
      expect(cut.length - 1).toBeLessThanOrEqual(most);
      // A half of a pair has no URI.
      expect(() => encodeURI(cut)).not.toThrow();
    }),
    { seed: 1_001 },
  );
});

test('an error of a tool is put into the form the model knows', () => {
  expect(toolError('Error: No such tool available: Bogus')).toEqual({
    content: [{ type: 'text', text: '<tool_use_error>Error: No such tool available: Bogus</tool_use_error>' }],
    isError: true,
  });
});
