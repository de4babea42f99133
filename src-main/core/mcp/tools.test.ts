import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaErrorText } from '../schema-errors.ts';
import { blocksOf, outputOf } from './content.ts';
import { isHeldBack, MOST_SCHEMA_CHARACTERS } from './deferral.ts';
import { schemaOfInput } from './input-schema.ts';
import { mcpLimits } from './limits.ts';
import { mcpToolName, mcpToolNames } from './names.ts';
import { searchTools } from './tool-search.ts';
import { questionAbout, summaryOf } from './words.ts';

describe('names', () => {
  test('are what every model service takes', () => {
    expect(mcpToolName('every thing', 'get.sum/all')).toBe('mcp__every_thing__get_sum_all');
    expect(mcpToolName('brave-search', 'find_it')).toBe('mcp__brave-search__find_it');
    const long = mcpToolName('server', 'x'.repeat(80));
    expect(long).toHaveLength(64);
    expect(long).toBe(mcpToolName('server', 'x'.repeat(80)));
    expect(long).not.toBe(mcpToolName('server', 'x'.repeat(81)));
  });

  test('are never the same twice, however they are called', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 40 }),
        fc.array(fc.constantFrom('a b', 'a_b', 'a.b', 'z'.repeat(70), 'a_b_2'), { maxLength: 12 }),
        (server, tools) => {
          const names = mcpToolNames(server, tools, new Set([mcpToolName(server, 'a_b')]));
          expect(new Set(names).size).toBe(tools.length);
          for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        },
      ),
      { seed: 1_001 },
    );
  });
});

describe('schemas', () => {
  const words = (schema: unknown, input: unknown): string => {
    const parsed = schemaOfInput(schema).safeParse(input);
    return parsed.success ? 'fits' : schemaErrorText('mcp__s__t', input, parsed.error.issues);
  };
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { enum: ['x', 'y'] }, c: { type: 'array', items: { $ref: '#/$defs/C' } } },
    required: ['a'],
    $defs: { C: { type: 'object', properties: { d: { type: 'boolean' } }, additionalProperties: false } },
  };

  test('name what is missing, wrong and unknown', () => {
    expect(words(schema, {})).toContain('The required parameter `a` is missing');
    expect(words(schema, { a: 'x' })).toContain('`a` type is expected as');
    expect(words(schema, { a: 1, c: [{ e: 1 }] })).toContain('An unexpected parameter `c.0.e` was provided');
    expect(words(schema, { a: 1, b: 'z' })).toContain('The parameter `b` is not valid');
    expect(words(schema, 'text')).toContain('expected as `object`');
    expect(words(schema, { a: 1, more: true })).toBe('fits');
  });

  test('leave the input as it is: no defaults, no other object', () => {
    const input = { a: 1 };
    const parsed = schemaOfInput({ ...schema, properties: { ...schema.properties, e: { default: 5 } } }).parse(input);
    expect(parsed).toBe(input);
    expect(input).toEqual({ a: 1 });
  });

  test.each([
    [{ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }, { a: 'x' }],
    [{ type: 'object', properties: { a: { type: 'string', pattern: '^(x+)+$' } } }, { a: `${'x'.repeat(60)}!` }],
    [{ type: 'object', if: { required: ['a'] }, else: { required: ['b'] } }, {}],
    [{ type: 'object', properties: { a: { $ref: 'https://x.test/schema' } } }, { a: 1 }],
    [
      { type: 'object', properties: { default: { type: 'string' }, format: { type: 'number' } } },
      { default: 'x', format: 1 },
    ],
    [{ type: 'object', properties: { n: { $ref: '#' } } }, { n: { n: {} } }],
    [undefined, { a: 1 }],
    [{ type: 7 }, { a: 1 }],
  ])('that go beyond what can be checked let pass what may be right: %j', (odd, input) => {
    expect(words(odd, input)).toBe('fits');
  });

  test('that cannot be read at all still name what is missing', () => {
    expect(words({ type: 7, required: ['a'] }, {})).toContain('The required parameter `a` is missing');
  });

  test('whatever a schema is, nothing throws (seed 1001)', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 2 }), (any, input) => {
        words({ type: 'object', properties: any, required: any }, input);
        words(any, input);
      }),
      { seed: 1_001, numRuns: 500 },
    );
  });
});

describe('answers', () => {
  test('become blocks for the model', () => {
    const big = 'A'.repeat(6 * 1024 * 1024);
    expect(
      blocksOf([
        { type: 'text', text: 'hi' },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
        { type: 'image', data: 'AA==', mimeType: 'image/tiff' },
        { type: 'image', data: big, mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        {
          type: 'resource_link',
          uri: 'x://1',
          name: 'one',
          mimeType: 'text/plain',
          size: 2048,
          description: 'The first',
        },
        { type: 'resource', resource: { uri: 'x://2', text: 'inside' } },
        { type: 'resource', resource: { uri: 'x://3', blob: 'AA==', mimeType: 'image/gif' } },
        { type: 'resource', resource: { uri: 'x://4', blob: 'AA==' } },
        { type: 'hologram' },
      ]),
    ).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'image', mediaType: 'image/png', data: 'AA==' },
      { type: 'text', text: '[picture, image/tiff, 3B: left out, it cannot be shown to the model]' },
      { type: 'text', text: '[picture, image/png, 4.5MB: left out, it is too large for the model]' },
      { type: 'text', text: '[sound, audio/wav, 3B: left out, it cannot be shown to the model]' },
      { type: 'text', text: '[Resource one: x://1, text/plain, 2KB] The first' },
      { type: 'text', text: '[Resource x://2]\ninside' },
      { type: 'image', mediaType: 'image/gif', data: 'AA==' },
      {
        type: 'text',
        text: '[resource x://4, application/octet-stream, 3B: left out, it cannot be shown to the model]',
      },
      { type: 'text', text: '{\n  "type": "hologram"\n}' },
    ]);
  });

  test('say structured content once', () => {
    const structured = { a: [1, 2] };
    const says = (text: string) => [{ type: 'text', text }];
    expect(outputOf({ content: says('{"a": [1,2]}'), structuredContent: structured })).toEqual(says('{"a": [1,2]}'));
    expect(outputOf({ content: says('x'), structuredContent: { content: 'x' } })).toEqual(says('x'));
    expect(outputOf({ content: says('see'), structuredContent: structured })).toHaveLength(2);
    expect(outputOf({ structuredContent: structured })).toHaveLength(1);
    expect(outputOf({ toolResult: 'old' })).toEqual(says('"old"'));
    expect(outputOf({})).toEqual([]);
  });

  test('may be whatever a hook has put in their place', () => {
    const text = (words: string) => [{ type: 'text', text: words }];
    expect(blocksOf('plain')).toEqual(text('plain'));
    expect(blocksOf({ content: [{ type: 'text', text: 'inside' }] })).toEqual(text('inside'));
    expect(blocksOf(['words'])).toEqual(text('words'));
    expect(blocksOf({ a: 1 })).toEqual(text('{\n  "a": 1\n}'));
    expect(blocksOf(null)).toEqual(text('null'));
  });
});

describe('words', () => {
  test('sum up an input in one line', () => {
    expect(summaryOf({ path: '/a\n/b' })).toBe('/a /b');
    expect(summaryOf({ a: 1, b: 'two', c: undefined })).toBe('a: 1, b: two');
    expect(summaryOf({ a: 'x'.repeat(500) })).toHaveLength(160);
    expect([summaryOf(undefined), summaryOf({}), summaryOf('raw')]).toEqual(['', '', 'raw']);
  });

  test.each([
    [{ readOnlyHint: true, destructiveHint: true }, 'says it only reads', false],
    [{ destructiveHint: true }, 'may destroy things', true],
    [{ destructiveHint: false }, 'runs on a server', false],
    [{ openWorldHint: true }, 'runs on a server', false],
  ])('of a question say what the server says: %j', (hints, risk, dangerous) => {
    const question = questionAbout({ server: 's', name: 't' }, hints);
    expect(question).toMatchObject({ title: 'Run t of the MCP server s?', risk, dangerous });
    expect(question.reason.includes('beyond this machine')).toBe('openWorldHint' in hints);
  });
});

describe('held back schemas', () => {
  const tool = (size: number) => ({ name: '', description: 'x'.repeat(size), jsonSchema: undefined });
  test('are those that take more than a tenth of a window', () => {
    expect(isHeldBack('auto', [tool(MOST_SCHEMA_CHARACTERS - 1), tool(1)])).toBe(false);
    expect(isHeldBack('auto', [tool(MOST_SCHEMA_CHARACTERS), tool(1)])).toBe(true);
    expect([isHeldBack('always', []), isHeldBack('never', [tool(1e6)])]).toEqual([true, false]);
  });

  const tools = [
    { name: 'mcp__files__read_file', description: 'Reads a file' },
    { name: 'mcp__files__write_file', description: 'Writes a file' },
    { name: 'mcp__mail__send', description: 'Sends a letter with a file' },
  ];
  const found = (query: string, most?: number) => searchTools(tools, query, most).map(({ name }) => name.slice(5));
  test.each([
    ['select:mcp__mail__send, MCP__FILES__READ_FILE,nothing', ['mail__send', 'files__read_file']],
    ['file', ['files__read_file', 'files__write_file', 'mail__send']],
    ['write file', ['files__write_file', 'files__read_file', 'mail__send']],
    ['+mail file', ['mail__send']],
    ['LETTER', ['mail__send']],
    ['zeppelin', []],
    ['', []],
    ['+', []],
  ])('are found by %j', (query, names) => {
    expect(found(query)).toEqual(names);
  });
  test('are no more than were asked for', () => expect(found('file', 1)).toEqual(['files__read_file']));
});

test('limits are those of the environment where it has any', () => {
  expect(mcpLimits({})).toEqual({ connectMs: 30_000, callMs: 600_000, resultCharacters: 100_000 });
  expect(mcpLimits({ MCP_TIMEOUT: '500', MCP_TOOL_TIMEOUT: '0', MAX_MCP_OUTPUT_TOKENS: 'many' })).toEqual({
    connectMs: 500,
    callMs: 600_000,
    resultCharacters: 100_000,
  });
});
