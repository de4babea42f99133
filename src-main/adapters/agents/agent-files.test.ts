import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../process/system-clock.ts';
import { AgentFiles } from './agent-files.ts';

let root: string;
let project: string;
let user: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-agents-'));
  project = join(root, 'project');
  user = join(root, 'user');
  mkdirSync(project);
  mkdirSync(user);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const files = () =>
  new AgentFiles(
    [
      { kind: 'project', folder: project },
      { kind: 'user', folder: user },
    ],
    systemClock,
  );
const lay = (folder: string, name: string, words: string, agent = name) =>
  writeFileSync(join(folder, `${name}.md`), `---\nname: ${agent}\ndescription: ${words}\n---\n${words}`);
const found = ({ current }: AgentFiles) => current.definitions.map(({ name, prompt }) => `${name}: ${prompt}`);

test('the project’s agent stands before the user’s, and both before one that is built in', () => {
  lay(project, 'scout', 'of the project');
  lay(user, 'scout', 'of the user');
  lay(user, 'explore', 'my own');
  writeFileSync(join(user, 'notes.txt'), 'no agent');
  expect(found(files()).slice(0, 2)).toEqual(['scout: of the project', 'explore: my own']);
  expect(files().current.definitions.map(({ name }) => name)).toEqual(['scout', 'explore', 'general-purpose', 'plan']);
});

test('folders that are not there are no trouble', () => {
  rmSync(project, { recursive: true });
  expect(files().current).toMatchObject({ findings: [] });
  expect(files().current.definitions).toHaveLength(3);
});

test('what changes on disk shows at the next look, and nothing changes without one', () => {
  const agents = files();
  const before = agents.current;
  lay(project, 'scout', 'first');
  expect(agents.current).toBe(before);
  expect(agents.look().definitions[0]).toMatchObject({ name: 'scout', prompt: 'first' });
  lay(project, 'scout', 'another, longer one');
  expect(agents.look().definitions[0]).toMatchObject({ prompt: 'another, longer one' });
  rmSync(join(project, 'scout.md'));
  expect(agents.look().definitions.map(({ name }) => name)).not.toContain('scout');
});

test('broken files, folders and pipes in their place are findings; the others are read', () => {
  writeFileSync(join(project, 'a.md'), 'no front matter');
  mkdirSync(join(project, 'b.md'));
  symlinkSync('/dev/zero', join(project, 'c.md'));
  writeFileSync(join(project, 'd.md'), Buffer.from([0xff, 0xfe, 0x00]));
  lay(project, 'good', 'works');
  const { definitions, findings } = files().current;
  expect(definitions[0]?.name).toBe('good');
  expect(findings.map(({ file, message }) => [file.slice(project.length + 1), message])).toEqual([
    ['a.md', 'It does not begin with front matter between two lines of ---. The agent is left out.'],
    ['b.md', 'It cannot be read: it is a folder.'],
    ['c.md', 'It cannot be read: it is no file.'],
    ['d.md', 'It cannot be read: it is not UTF-8 text.'],
  ]);
});

test('two files of one name in a folder: the first counts, and it is said', () => {
  lay(project, 'a', 'one', 'scout');
  lay(project, 'b', 'two', 'scout');
  const { definitions, findings } = files().current;
  expect(definitions[0]?.prompt).toBe('one');
  expect(findings).toMatchObject([{ file: join(project, 'b.md') }]);
});

test('a folder with more files than anybody has agents is read in part', () => {
  for (let at = 0; at < 203; at++) lay(project, `agent-${at}`, 'x');
  const agents = files();
  expect(agents.look().definitions).toHaveLength(203);
  expect(agents.current.findings).toMatchObject([
    { file: project, message: 'Only the first 200 agents of it are read.' },
  ]);
  expect(agents.look()).toBe(agents.current);
});
