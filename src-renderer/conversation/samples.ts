import type { AgentId, CallId, HookRunId, MessageId, RequestId } from '../../src-shared/ids.ts';
import { Story } from './story.ts';

const TEST_OUTPUT = [
  '\x1b[31m✗\x1b[0m rounds exact halves to even  \x1b[2m4 ms\x1b[0m',
  '  price.test.ts:31:24',
  '  expected \x1b[32m2.68\x1b[0m, got \x1b[31m2.67\x1b[0m',
  '',
  '\x1b[1mTests\x1b[0m  \x1b[31m1 failed\x1b[0m | 46 passed (47)',
].join('\n');

const PREVIEW = [
  '<persisted-output>',
  'Output too large (1.2MB). Full output saved to: /home/mira/.gantry/sessions/7f3a/tool-results/log.txt',
  '',
  'Preview (first 2KB):',
  'commit 9f3c1e7d4a0b',
  'Author: Mira Okafor <mira@shop.example>',
  'Date:   Tue Nov 18 16:20:11',
  '',
  '    price: format with toFixed',
  '...',
  '</persisted-output>',
].join('\n');

/** The session of the design's first picture: a failing test cancels its siblings, one call waits for the lock. */
export function pricesStory(): Story {
  const story = new Story('Fix the rounding in price.ts');
  story
    .you('Prices with exact halves are rounded the wrong way. Fix `price.ts` and run the tests.')
    .request()
    .thinks('The helper may use toFixed. I should look at its history first.')
    .says('I will look at the history of the file and at the other places that format prices.')
    .at(8_000)
    .request()
    .at(9_000)
    .call('log', 'Bash', 'git log -p -- src/price.ts')
    .starts('log')
    .at(9_300)
    .call('edit', 'Edit', 'src/price.ts', {
      input: { file_path: '/home/mira/work/shop/src/price.ts', old_string: 'toFixed(2)', new_string: 'toCents()' },
    })
    .add({ type: 'call-blocked', callId: 'edit' as CallId, why: 'lock', by: ['log' as CallId] })
    .said()
    .at(10_900)
    .add({
      type: 'result-saved',
      callId: 'log' as CallId,
      path: '/home/mira/.gantry/sessions/7f3a/tool-results/log.txt',
      bytes: 1_258_291,
      found: true,
      limit: 50_000,
    })
    .ends('log', { exit: { code: 0 }, result: PREVIEW })
    .starts('edit')
    .stage('edit', 'hooks-before', 300)
    .asks('edit', { title: 'Make this edit?', reason: 'The file is in the working folder.', risk: 'changes files' })
    .at(13_700)
    .settles('edit', 'allow')
    .add({
      type: 'call-input-changed',
      callId: 'edit' as CallId,
      by: 'user',
      input: { file_path: '/home/mira/work/shop/src/price.ts', old_string: 'toFixed(2)', new_string: 'roundToCents()' },
    })
    .stage('edit', 'run', 120)
    .at(13_900)
    .ends('edit', { result: 'The file was changed.' });
  failingTests(story);
  story
    .at(21_000)
    .request()
    .says(
      'The test expects banker’s rounding for exact halves. I will check who else rounds prices, fix the helper, ' +
        'then run the tests and the linter again.',
    )
    .call('agent', 'Agent', 'Who else rounds prices?', { input: { prompt: 'Who else rounds prices?' } })
    .starts('agent', 2)
    .said()
    .agent('explore', 'agent', 'Explore', 'Find all places that round prices.');
  const explore = 'explore' as AgentId;
  story
    .request(explore)
    .call('grep', 'Grep', 'toFixed(', { agent: explore, input: { pattern: 'toFixed\\(' } })
    .starts('grep')
    .at(22_000)
    .ends('grep', { result: 'src/cart.ts\nsrc/refund.ts' })
    .call('cart', 'Read', 'src/cart.ts', { agent: explore })
    .starts('cart')
    .said(explore);
  return story;
}

function failingTests(story: Story): void {
  story
    .at(14_500)
    .request()
    .says('The helper rounds with `toFixed(2)`. I changed it to round to cents. Now the tests and the linter.')
    .at(15_200)
    .call('test', 'Bash', 'npm test', {
      because: 'treat-as-safe-rule',
      detail: 'without it: exclusive, not provably read-only',
    })
    .starts('test')
    .call('lint', 'Bash', 'npm run lint', { because: 'treat-as-safe-rule' })
    .starts('lint', 1)
    .call('invoice', 'Edit', 'src/invoice.ts')
    .add({ type: 'call-blocked', callId: 'invoice' as CallId, why: 'lock', by: ['test' as CallId, 'lint' as CallId] })
    .said()
    .add({
      type: 'hook-started',
      runId: 'guard' as HookRunId,
      callId: 'test' as CallId,
      hookEvent: 'PreToolUse',
      matcher: 'Bash',
      command: 'node .claude/hooks/guard.sh',
      timing: { certainty: 'measured' },
    })
    .stage('test', 'hooks-before', 300)
    .add({
      type: 'hook-ended',
      runId: 'guard' as HookRunId,
      exitCode: 0,
      outcome: 'ok',
      stdout: 'nothing to say\n',
      stderr: '',
      effects: ['added context'],
    })
    .add({ type: 'process-spawned', callId: 'test' as CallId, pid: 4_711, command: 'npm test' })
    .add({ type: 'process-spawned', callId: 'test' as CallId, pid: 4_712, parentPid: 4_711, command: 'vitest run' })
    .add({
      type: 'permission-settled',
      callId: 'test' as CallId,
      verdict: 'allow',
      by: 'rule',
      trace: [
        { step: 'hook', verdict: 'pass', text: 'No hook had a say', detail: 'guard.sh, 300 ms, exit 0' },
        { step: 'deny-rules', verdict: 'pass', text: 'No deny rule matches', detail: '14 rules looked at' },
        {
          step: 'allow-rules',
          verdict: 'allow',
          text: 'An allow rule matches',
          detail: 'Bash(npm test:*) · .claude/settings.json:8',
        },
      ],
      rule: { text: 'Bash(npm test:*)', scope: 'project' },
    })
    .add({ type: 'stage-started', callId: 'test' as CallId, stage: 'run' })
    .at(19_192)
    .add({ type: 'stage-ended', callId: 'test' as CallId, stage: 'run' })
    .stage('test', 'save', 8)
    .add({ type: 'process-ended', callId: 'test' as CallId, pid: 4_712, code: 1 })
    .add({ type: 'process-ended', callId: 'test' as CallId, pid: 4_711, code: 1 })
    .add({ type: 'process-tree-ended', callId: 'test' as CallId, survivors: [] })
    .add({ type: 'call-progressed', callId: 'test' as CallId, bytes: 2_970, lines: 41, tail: TEST_OUTPUT })
    .ends('test', { outcome: 'error', exit: { code: 1 }, result: TEST_OUTPUT })
    .add({
      type: 'cascade-triggered',
      culprit: 'test' as CallId,
      policy: 'bash',
      victims: ['lint' as CallId, 'invoice' as CallId],
    })
    .cancels('lint', 'test', true)
    .ends('lint', { outcome: 'cancelled', exit: { signal: 'SIGTERM' }, result: 'Cancelled: npm test failed' })
    .cancels('invoice', 'test', false)
    .ends('invoice', { outcome: 'cancelled', result: 'Cancelled: npm test failed' });
}

/** The session of the permission picture: three agents ask at once. `count` questions of them are told. */
export function asksStory(count = 3): Story {
  const story = new Story('Move cart to pnpm');
  story.at(228_000).you('Move the cart from npm to pnpm.').request();
  const agents = ['CI', 'Packages', 'Tickets'].slice(0, count);
  for (const name of agents)
    story.call(`agent-${name}`, 'Agent', `${name} files`).starts(`agent-${name}`, agents.indexOf(name));
  story.said();
  for (const name of agents)
    story.agent(name, `agent-${name}`, name, `Look after the ${name} part.`).request(name as AgentId);
  const command = 'rg -l "npm ci" .github ci | xargs sed -i \'s/npm ci/pnpm i --frozen-lockfile/\'';
  const trace = [
    { step: 'hook', verdict: 'pass', text: 'No hook had a say', detail: 'guard.sh, 212 ms, exit 0' },
    { step: 'deny-rules', verdict: 'pass', text: 'No deny rule matches', detail: '14 rules looked at' },
    { step: 'ask-rules', verdict: 'pass', text: 'No ask rule matches', detail: '3 rules looked at' },
    { step: 'tool', verdict: 'ask', text: 'Not read-only: sed -i', detail: 'Bash check, characters 38 to 44' },
    { step: 'mode', verdict: 'pass', text: 'Mode default changes nothing' },
    {
      step: 'allow-rules',
      verdict: 'pass',
      text: 'Allow rule covers only a part',
      detail: 'Bash(rg:*) · .claude/settings.json:12',
    },
  ] as const;
  const start = command.indexOf('sed -i');
  const questions: readonly (() => void)[] = [
    () =>
      story
        .at(233_900)
        .call('sed', 'Bash', command, { agent: 'CI' as AgentId, safe: false })
        .starts('sed')
        .asks(
          'sed',
          {
            title: 'Run this command?',
            reason:
              'sed -i writes to the files it is given. The first command only reads. 4 files match now: 3 in .github/workflows, 1 in ci.',
            span: { start, end: start + 6 },
            risk: 'changes files',
            proposedRule: 'Bash(xargs sed -i:*)',
          },
          trace,
        ),
    () =>
      story
        .at(234_900)
        .call('package', 'Edit', 'package.json', { agent: 'Packages' as AgentId })
        .starts('package')
        .asks(
          'package',
          {
            title: 'Make this edit?',
            reason: 'The file is inside the working folder, but edits are asked about in default mode.',
            risk: 'changes files',
            proposedRule: 'Edit(package.json)',
            diff: {
              path: 'package.json',
              before: '{\n  "name": "cart",\n  "packageManager": "npm@11.0"\n}\n',
              after: '{\n  "name": "cart",\n  "packageManager": "pnpm@10.2"\n}\n',
            },
          },
          trace.slice(0, 3),
        ),
    () =>
      story
        .at(235_900)
        .call('issues', 'mcp__linear__list_issues', 'CART pnpm', {
          agent: 'Tickets' as AgentId,
          input: { team: 'CART', query: 'pnpm' },
        })
        .starts('issues')
        .asks(
          'issues',
          { title: 'Use this tool?', reason: 'The server says it only reads.', risk: 'uses a server' },
          trace.slice(0, 3),
        ),
  ];
  for (const ask of questions.slice(0, count)) ask();
  return story.at(252_000).add({ type: 'notice-given', level: 'info', text: 'The journal was saved.' });
}

/** A single question about a command that cannot be taken back. */
export function dangerousStory(): Story {
  const command = 'rm -rf node_modules ../cart-backup';
  const story = new Story('Clean up').at(1_000).you('Clean up.').request();
  story.call('rm', 'Bash', command, { safe: false }).said().starts('rm');
  return story.asks(
    'rm',
    {
      title: 'Run this command?',
      reason: 'rm -rf removes a folder outside of the working folder. It cannot be taken back.',
      span: { start: 0, end: 6 },
      risk: 'dangerous',
      dangerous: true,
    },
    [{ step: 'tool', verdict: 'ask', text: 'Removes outside of the working folder', detail: '../cart-backup' }],
  );
}

/** What else a conversation can hold: a broken stream, a second try, notices, a stopped turn. */
export function troubledStory(): Story {
  const story = new Story('Trouble')
    .you('Read all of it.')
    .request()
    .says('I will begin with')
    .call('a', 'Read', 'a.md');
  const broken = story.events.findLast((event) => event.type === 'message-started');
  story
    .at(900)
    .add({ type: 'attempt-discarded', messageId: broken?.messageId as MessageId })
    .add({
      type: 'request-failed',
      requestId: broken?.requestId as RequestId,
      message: 'the stream broke',
      retryInMs: 500,
    })
    .ends('a', { outcome: 'discarded' })
    .at(1_400)
    .request(undefined, 2)
    .says(
      'I will begin with the list.\n\n1. first\n2. second\n\n| a | b |\n| - | - |\n| 1 | `2` |\n\n> quoted\n\n```ts\nconst x = 1;\n```',
    )
    .call('sleep', 'Bash', 'sleep 60')
    .starts('sleep')
    .said()
    .at(3_000)
    .add({ type: 'interrupt-requested', reason: 'escape' })
    .ends('sleep', { outcome: 'interrupted', exit: { signal: 'SIGTERM' } })
    .turnEnds('interrupted')
    .add({
      type: 'notice-given',
      level: 'warning',
      text: 'The scenario has no more turns.',
      detail: 'Start it again from the gallery.',
    })
    .add({ type: 'notice-given', level: 'error', text: 'The disk is full. The session is paused.' });
  return story;
}

/** A conversation of many calls, for its speed. */
export function longStory(calls: number): Story {
  const story = new Story('Long').you('Read everything.');
  for (let at = 0; at < calls; at += 4) {
    story
      .at(at * 50)
      .request()
      .says(`Step ${at / 4 + 1}: the next four files.`);
    for (let n = at; n < at + 4; n++) story.call(`call-${n}`, 'Read', `src/file-${n}.ts`).starts(`call-${n}`, n - at);
    story.said();
    for (let n = at; n < at + 4; n++) story.at(at * 50 + 40).ends(`call-${n}`, { result: 'text' });
  }
  return story;
}

/** A call that asks the person two questions. */
export function choicesStory(): Story {
  const choices = [
    {
      question: 'Where should the carts be kept?',
      header: 'Store',
      options: [
        { label: 'SQLite', description: 'One file, no server. Enough for some thousand carts a day.' },
        { label: 'Postgres', description: 'The shop has one for orders already.' },
      ],
      multiSelect: false,
    },
    {
      question: 'What should come with the change?',
      header: 'Extras',
      options: [
        { label: 'Tests', description: '' },
        { label: 'A page in the docs', description: '' },
        { label: 'A migration of old carts', description: 'Runs once, at the next start.' },
      ],
      multiSelect: true,
    },
  ];
  const story = new Story('Keep carts over night');
  const input = { questions: choices };
  story.at(12_000).you('Keep carts over night.').request();
  story.call('ask', 'AskUserQuestion', 'Store and 1 more', { input }).said().starts('ask');
  story
    .at(12_400)
    .asks('ask', { title: '2 questions to you', reason: '', risk: 'question', choices }, [
      { step: 'tool', verdict: 'ask', text: 'AskUserQuestion is a question to you' },
    ]);
  return story.at(30_000);
}

/** A plan that waits for a word. */
export function planStory(): Story {
  const plan = [
    '# Keep carts over night',
    'Carts live in memory and are gone with every deploy.',
    '1. Add `CartStore` with one table `carts`, keyed by the session.',
    '2. Let `cart.ts` read and write through it.',
    '3. Test that a cart is there after a restart.',
    '',
    'Nothing changes for orders.',
  ].join('\n');
  const story = new Story('Keep carts over night');
  story.at(12_000).you('Plan how to keep carts over night.').request();
  story.call('plan', 'ExitPlanMode', 'Keep carts over night', { input: { plan } }).said().starts('plan');
  story
    .at(12_400)
    .asks('plan', { title: 'Go on with this plan?', reason: '', risk: 'leaves plan mode', plan }, [
      { step: 'tool', verdict: 'ask', text: 'ExitPlanMode is a question to you' },
    ]);
  return story.at(30_000);
}
