import { expect, test } from 'vitest';
import type { ApiMessage } from './api-message.ts';
import { conversationText } from './conversation-text.ts';

const said = (role: 'user' | 'assistant', text: string): ApiMessage => ({ role, content: [{ type: 'text', text }] });

test('words, calls and results are told, thoughts are not', () => {
  const messages: readonly ApiMessage[] = [
    said('user', 'Fix the tax.'),
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'secret', signature: 's' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'tax.js' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [
            { type: 'text', text: 'x'.repeat(5_000) },
            { type: 'image', mediaType: 'image/png', data: 'AA' },
          ],
          is_error: true,
        },
      ],
    },
  ];
  expect(conversationText(messages, 100_000)).toBe(
    `Person: Fix the tax.\n\nAgent: I look.\n\nAgent calls Read: {"file_path":"tax.js"}\n\nResult, an error: ${'x'.repeat(4_000)}…`,
  );
});

test('of a long one the beginning and the end are kept', () => {
  const messages = [
    said('user', 'The task'),
    ...Array.from({ length: 50 }, (_, at) => said('assistant', `Step ${at}`)),
  ];
  const text = conversationText(messages, 100);
  expect(text.length).toBeLessThan(220);
  expect(text).toMatch(/^Person: The task\n\n\[\d+ parts of the conversation are left out here\]\n\n/);
  expect(text).toMatch(/Agent: Step 49$/);
  expect(conversationText([], 100)).toBe('');
});
