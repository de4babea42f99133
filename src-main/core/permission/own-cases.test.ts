import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainPermission, type Here, Question } from './explain.ts';

const HERE: Here = { cwd: '/proj/app', home: '/home/u', platform: 'linux', realPath: (path) => path };
const LISTS = { '+': 'allow', '?': 'ask', '-': 'deny' } as const;

const lines = readFileSync(new URL('./fixtures/own-cases.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('//'));

function questionIn([, mode, rules = '', tool = '', input = '', more = '{}']: readonly string[]): Question {
  const { settings: added = {}, ...rest } = JSON.parse(more);
  const settings: Record<string, unknown> = { source: 'project', allow: [], ask: [], deny: [], ...added };
  for (const rule of rules.split(';;').map((each) => each.trim())) {
    const list = LISTS[rule.charAt(0) as keyof typeof LISTS];
    if (list !== undefined) settings[list] = [...(settings[list] as readonly string[]), rule.slice(1)];
  }
  return Question.parse({ settings, mode, tool, input: inputOf(tool, input), ...rest });
}

function inputOf(tool: string, text: string): unknown {
  if (tool === 'Bash') return { command: text.replaceAll('\\n', '\n') };
  if (text.startsWith('{')) return JSON.parse(text);
  if (tool === 'WebFetch') return { url: text, prompt: 'p' };
  if (tool === 'Grep' || tool === 'Glob') return { pattern: 'x', path: text };
  return tool === 'NotebookEdit' ? { notebook_path: text } : { file_path: text };
}

test(`${lines.length} decisions are what they were meant to be`, () => {
  const wrong = lines.flatMap((line) => {
    const fields = line.split('¦').map((field) => field.trim());
    const { decision, by } = explainPermission(questionIn(fields), HERE);
    return fields[0]?.split('/').includes(decision) ? [] : [`${decision} by ${by}: ${line}`];
  });
  expect(wrong).toEqual([]);
});
