import { describe, expect, test } from 'vitest';
import type { ApiBlock, ApiMessage } from './api-message.ts';
import { faultsOfRequest } from './request-validator.ts';

const say = (text: string): ApiBlock => ({ type: 'text', text });
const use = (id: string): ApiBlock => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string): ApiBlock => ({ type: 'tool_result', tool_use_id: id, content: [], is_error: false });
const user = (...content: readonly ApiBlock[]): ApiMessage => ({ role: 'user', content });
const model = (...content: readonly ApiBlock[]): ApiMessage => ({ role: 'assistant', content });

const thought: ApiBlock = { type: 'thinking', text: '', signature: 's' };
const hidden: ApiBlock = { type: 'other', raw: { type: 'redacted_thinking', data: 'A' } };

describe('a conversation that the server takes', () => {
  test.each<readonly [string, readonly ApiMessage[]]>([
    ['a question', [user(say('Hello'))]],
    ['an answer', [user(say('Hello')), model(say('Hi'))]],
    ['calls and their results', [user(say('Go')), model(use('a'), use('b')), user(result('a'), result('b'))]],
    ['words behind results', [user(say('Go')), model(use('a')), user(result('a'), say('And now?'))]],
    ['a thought', [user(say('Go')), model(thought, say('Hi'))]],
    ['a hidden thought before a call', [user(say('Go')), model(hidden, use('a')), user(result('a'))]],
  ])('%s', (_name, messages) => {
    expect(faultsOfRequest(messages)).toEqual([]);
  });

  test('of the wire is looked at in the same way', () => {
    const wire = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '' }] }] },
    ];
    expect(faultsOfRequest(wire)).toEqual(['message 2 has a result with an empty text']);
  });

  test.each([
    { type: 'thinking', thinking: 'x', signature: 's' },
    { type: 'redacted_thinking', data: 'A' },
  ])('of the wire may not end with $type either', (block) => {
    const wire = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }, block] },
    ];
    expect(faultsOfRequest(wire)).toEqual(['message 1 ends with a thought']);
  });
});

test.each<readonly [string, readonly ApiMessage[], string]>([
  ['the model speaks first', [model(say('Hi'))], 'the first message is not the user’s'],
  ['roles repeat', [user(say('a')), user(say('b'))], 'message 1 has the role of the one before'],
  ['a message is empty', [user()], 'message 0 is empty'],
  ['a text is blank', [user(say(' \n'))], 'message 0 has a text without letters'],
  ['a call has no result', [user(say('a')), model(use('x'))], 'message 1 uses x and is not answered'],
  [
    'a result is missing',
    [user(say('a')), model(use('x'), use('y')), user(result('x'))],
    'message 2 answers x where x,y were called',
  ],
  [
    'a result comes twice',
    [user(say('a')), model(use('x')), user(result('x'), result('x'))],
    'message 2 answers x,x where x were called',
  ],
  [
    'results change places',
    [user(say('a')), model(use('x'), use('y')), user(result('y'), result('x'))],
    'message 2 answers y,x where x,y were called',
  ],
  ['a result is of nothing', [user(result('x'))], 'message 0 answers x where  were called'],
  [
    'words stand before results',
    [user(say('a')), model(use('x')), user(say('b'), result('x'))],
    'message 2 has something before its results',
  ],
  [
    'an id is used again',
    [user(say('a')), model(use('x')), user(result('x')), model(use('x')), user(result('x'))],
    'message 3 uses the id x again',
  ],
  [
    'a thought has lost its signature',
    [user(say('a')), model({ type: 'thinking', text: 'x', signature: '' })],
    'message 1 has a thought without its signature',
  ],
  ['a message is a thought alone', [user(say('a')), model(thought)], 'message 1 ends with a thought'],
  ['a message is a hidden thought alone', [user(say('a')), model(hidden)], 'message 1 ends with a thought'],
  ['a thought stands behind words', [user(say('a')), model(say('b'), thought)], 'message 1 ends with a thought'],
  [
    'a hidden thought stands behind a call',
    [user(say('a')), model(use('x'), hidden), user(result('x'))],
    'message 1 ends with a thought',
  ],
  ['the user calls', [user(say('a'), use('x'))], 'message 0 has a tool_use that is not the assistant’s'],
  [
    'an input is no object',
    [user(say('a')), model({ ...use('x'), input: 'ls' } as ApiBlock), user(result('x'))],
    'message 1 has a call without an object for input',
  ],
])('when %s, that is a fault', (_name, messages, fault) => {
  expect(faultsOfRequest(messages)).toContain(fault);
});
