import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import { seedsFor } from '../bash/testing/random.ts';
import { type ChainInput, decidePermission } from './chain.ts';
import { worldWithoutLinks } from './ground.ts';
import type { RuleSet } from './rules.ts';
import type { Use } from './tool-rules.ts';

/*
 * What has to hold whatever is set. What a rule means is said once more here, by hand: each call stands with the rules that
 * mean it for certain.
 */

type Known = { readonly use: Use; readonly meant: readonly string[] };
const bash = (command: string, ...meant: readonly string[]): Known => ({
  use: { tool: 'Bash', input: { command } },
  meant: ['Bash', 'Bash(*)', '*', ...meant],
});
const tool = (name: string, input: object, ...meant: readonly string[]): Known => ({
  use: { tool: name, input },
  meant: [name, '*', ...meant],
});

const CALLS: readonly Known[] = [
  bash('npm test', 'Bash(npm *)', 'Bash(npm test)'),
  bash('ls', 'Bash(ls)'),
  bash('cat .env', 'Bash(cat:*)', 'Read(.env)', 'Read(/.env)', 'Read'),
  bash('cd a && rm ../b', 'Bash(rm *)', 'Edit(/b)', 'Edit'),
  bash('echo "$(curl x)"', 'Bash(curl *)'),
  bash('sudo -u x /bin/rm -rf build', 'Bash(rm *)', 'Edit(build)', 'Edit'),
  bash('FOO=1 timeout 5 git push origin', 'Bash(git push *)', 'Bash(git *)'),
  bash('npm test > src/out', 'Bash(npm *)', 'Edit(src/**)', 'Edit'),
  bash('find . -exec cat .env \\;', 'Bash(cat:*)', 'Read(.env)', 'Read'),
  bash('while read l; do echo $l; done < secrets/k', 'Read(secrets/**)', 'Read'),
  bash('rm -rf /', 'Bash(rm *)', 'Edit(//**)', 'Edit'),
  bash('ls; rm -rf ~ &', 'Bash(rm *)', 'Bash(ls)', 'Edit'),
  bash('touch a', 'Bash(touch:*)', 'Edit(a)', 'Edit'),
  tool('Read', { file_path: '/work/.env' }, 'Read(.env)', 'Read(/.env)', 'Read(//work/.env)'),
  tool('Write', { file_path: 'src/a', content: '' }, 'Edit', 'Edit(src/**)', 'Read(src/**)', 'Read'),
  tool('Edit', { file_path: '.git/config', old_string: '', new_string: '' }, 'Edit', 'Read', 'Edit(.git/**)'),
  tool('WebFetch', { url: 'https://Example.com./x' }, 'WebFetch(domain:example.com)', 'WebFetch(domain:*)'),
  tool('mcp__db__query', { sql: 'x' }, 'mcp__db', 'mcp__db__*', 'mcp__*', 'mcp__db__query(sql:*)'),
  tool('Agent', { subagent_type: 'Explore', model: 'opus' }, 'Agent(Explore)', 'Agent(model:opus)', 'Task(Explore)'),
  tool('Skill', { skill: 'deploy', args: 'now' }, 'Skill(deploy)', 'Skill(deploy *)'),
];
const RULES = [...new Set(CALLS.flatMap(({ meant }) => meant))];
const ALLOWING = [...RULES, 'Bash(npm test:*)', 'Edit(**)', 'Read(//**)'];

const call = fc.constantFrom(...CALLS);
const list = (texts: readonly string[], maxLength: number) => fc.subarray([...texts], { maxLength });
const situation = fc.record({
  now: call,
  before: fc.option(call, { nil: undefined }),
  hook: fc.constantFrom(...(['none', 'allow', 'ask', 'deny'] as const)),
  mode: fc.constantFrom<PermissionMode[]>('default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'),
  tool: fc.constantFrom(...([undefined, 'allow', 'pass'] as const)),
  classifier: fc.constantFrom(...([undefined, 'allow', 'ask'] as const)),
  deny: list(RULES, 2),
  ask: list(RULES, 2),
  allow: list(ALLOWING, 4),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;
/** A classifier is none where it is left out. */
type Given = Omit<Situation, 'classifier'> & Partial<Pick<Situation, 'classifier'>>;

function decide({ now, before, hook, mode, tool: says, classifier, ...lists }: Given) {
  const sourced = (texts: readonly string[]) => texts.map((text) => ({ text, scope: 'project' as const }));
  const rules: RuleSet = { deny: sourced(lists.deny), ask: sourced(lists.ask), allow: sourced(lists.allow) };
  const input: ChainInput = {
    use: now.use,
    original: before?.use.tool === now.use.tool ? before.use : now.use,
    hook: { verdict: hook, reason: 'check.sh' },
    rules,
    mode,
    world: worldWithoutLinks('/work'),
    ...(says === undefined ? {} : { tool: { verdict: says, because: 'it says so' } }),
    ...(classifier === undefined ? {} : { classifier: { name: 'c', verdict: classifier, reason: 'it says so' } }),
  };
  return decidePermission(input);
}

const means = (texts: readonly string[], { now, before }: Situation): boolean =>
  [now, ...(before?.use.tool === now.use.tool ? [before] : [])].some(({ meant }) =>
    texts.some((text) => meant.includes(text)),
  );

const seeds = seedsFor([1_001]);
const runs = (seed: number) => ({ seed, numRuns: 2_000 });

test('what these properties say of each rule is so', () => {
  for (const { use, meant } of CALLS) {
    for (const text of meant) {
      const at = { now: { use, meant }, before: undefined, hook: 'none', mode: 'default', tool: undefined } as const;
      expect(decide({ ...at, deny: [text], ask: [], allow: [] }).verdict, `${text} ${JSON.stringify(use)}`).toBe(
        'deny',
      );
    }
  }
});

test.each(seeds)(
  'no hook, mode, tool, classifier or allow rule turns a matching deny rule into anything but deny (seed %i)',
  (seed) => {
    let met = 0;
    fc.assert(
      fc.property(situation, (at) => {
        if (!means(at.deny, at)) return;
        met++;
        expect(decide(at).verdict).toBe('deny');
      }),
      runs(seed),
    );
    expect(met).toBeGreaterThan(200);
  },
);

test.each(seeds)('no hook, mode, tool, classifier or allow rule skips a matching ask rule (seed %i)', (seed) => {
  let met = 0;
  fc.assert(
    fc.property(situation, (at) => {
      if (!means(at.ask, at)) return;
      met++;
      expect(decide(at).verdict).not.toBe('allow');
      expect(decide({ ...at, hook: 'allow' }).verdict).not.toBe('allow');
    }),
    runs(seed),
  );
  expect(met).toBeGreaterThan(200);
});

const CRITICAL = [
  'rm -rf /',
  'rm -rf ~',
  'rm -rf "$HOME"',
  'rmdir /etc',
  'rm -r -- ..',
  'rm -rf *',
  'rm -rf "$X"/*',
  'rm -rf $(pwd)',
];
const AROUND: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `ls && ${command}`,
  (command) => `echo "$(${command})"`,
  (command) => `cat <(${command})`,
  (command) => `( ${command} ) | cat`,
  (command) => `{ ${command}; } > /dev/null`,
  (command) => `if true; then ${command}; fi`,
  (command) => `f() { ${command}; }; f`,
  (command) => `sudo ${command}`,
  (command) => `X=1 timeout 5 nice ${command}`,
  (command) => `bash -c '${command}'`,
  (command) => `cat <<'E' | sh\n${command}\nE`,
  (command) => `${command} &`,
];

test.each(seeds)('no mode, hook or rule lets a critical removal run without a question (seed %i)', (seed) => {
  const removal = fc
    .tuple(fc.constantFrom(...CRITICAL), fc.constantFrom(...AROUND))
    .map(([command, wrap]) => wrap(command));
  fc.assert(
    fc.property(situation, removal, (at, command) => {
      const now = bash(command);
      expect(decide({ ...at, now, allow: [...at.allow, 'Bash', `Bash(${command})`] }).verdict, command).not.toBe(
        'allow',
      );
    }),
    runs(seed),
  );
});

test.each(seeds)('protected paths are opened by mode bypassPermissions alone (seed %i)', (seed) => {
  const paths = fc.constantFrom(
    '.git/config',
    'a/.npmrc',
    '.claude/settings.json',
    '/work/.vscode/tasks.json',
    '~/.bashrc',
  );
  const uses = fc
    .tuple(paths, fc.constantFrom('Write', 'cp a', 'echo x >', 'touch', 'tee -a', 'sed -i p'))
    .map(([path, how]) => (how === 'Write' ? tool('Write', { file_path: path, content: '' }) : bash(`${how} ${path}`)));
  fc.assert(
    fc.property(situation, uses, (at, now) => {
      if (at.mode === 'bypassPermissions' || at.tool === 'allow') return;
      expect(decide({ ...at, now, before: undefined }).verdict).not.toBe('allow');
    }),
    runs(seed),
  );
});

test.each(seeds)('mode dontAsk never asks, and allows no more than mode default (seed %i)', (seed) => {
  fc.assert(
    fc.property(situation, (at) => {
      const quiet = decide({ ...at, mode: 'dontAsk' }).verdict;
      expect(quiet).not.toBe('ask');
      if (quiet === 'allow') expect(decide({ ...at, mode: 'default' }).verdict).toBe('allow');
    }),
    runs(seed),
  );
});

test.each(seeds)(
  'a further restriction allows nothing more, and a further allow rule nothing less (seed %i)',
  (seed) => {
    fc.assert(
      fc.property(situation, fc.constantFrom(...RULES), (at, text) => {
        const isAllowed = (given: Situation): boolean => decide(given).verdict === 'allow';
        if (isAllowed({ ...at, deny: [...at.deny, text] })) expect(isAllowed(at)).toBe(true);
        if (isAllowed({ ...at, ask: [...at.ask, text] })) expect(isAllowed(at)).toBe(true);
        if (isAllowed(at)) expect(isAllowed({ ...at, allow: [...at.allow, text] })).toBe(true);
      }),
      runs(seed),
    );
  },
);

test.each(seeds)(
  'a classifier only ever allows in mode auto, and only what would be asked for want of anything else (seed %i)',
  (seed) => {
    let met = 0;
    fc.assert(
      fc.property(situation, fc.boolean(), (given, auto) => {
        const at: Situation = auto ? { ...given, mode: 'auto' } : given;
        const without = decide({ ...at, classifier: undefined });
        const allowed = decide({ ...at, classifier: 'allow' });
        const unsure = decide({ ...at, classifier: 'ask' });
        expect(unsure.verdict).toBe(without.verdict);
        if (!without.wantsClassifier) {
          expect(allowed.verdict).toBe(without.verdict);
          return;
        }
        met++;
        expect([at.mode, without.verdict, without.by]).toEqual(['auto', 'ask', 'fallback']);
        expect([allowed.verdict, allowed.by]).toEqual(['allow', 'classifier']);
        expect(at.hook).not.toBe('ask');
        expect(means([...at.deny, ...at.ask], at)).toBe(false);
        expect(allowed.wantsClassifier || unsure.wantsClassifier).toBe(false);
      }),
      runs(seed),
    );
    expect(met).toBeGreaterThan(50);
  },
);
