import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countTranscript, differences, sessionFiles } from '../../../scripts/count-transcript.mjs';
import { foldSession } from '../../../src-shared/session/state.ts';
import { inspect } from '../../core/inspect/inspect.ts';
import { Inspection } from '../../core/inspect/inspection.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';

/** Recorded with the real program in both of its strategies. */
const folder = join(import.meta.dirname, 'fixtures', 'claude-code-2.1.92');
const names = readdirSync(folder);

const open = async (name: string) => {
  const opened = await openTranscript(join(folder, name));
  return { ...opened, inspection: inspect(opened.events, opened.findings, { calls: true }) };
};

/** Without this machine's paths. */
const portable = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll(folder, '<recordings>');

describe.each(names)('%s', (name) => {
  test('is read as it was approved', async () => {
    const { inspection } = await open(name);
    expect(Inspection.parse(inspection)).toEqual(inspection);
    await expect(`${portable(inspection)}\n`).toMatchFileSnapshot(join(folder, name, 'inspect.approved.json'));
  });

  test('agrees with a count that shares no code', async () => {
    const [file] = sessionFiles(join(folder, name));
    const { inspection } = await open(name);
    const counted = countTranscript(file as string);
    expect(counted.calls.length).toBeGreaterThan(0);
    expect(counted.resultsWithoutCall).toEqual([]);
    expect(differences(counted, inspection)).toEqual([]);
  });

  test('makes a sound session without findings', async () => {
    const { events, findings } = await open(name);
    expect(faultsOf(events)).toEqual([]);
    expect(findings).toEqual([]);
  });
});

describe('what the recordings are for', () => {
  const endings = async (name: string) => {
    const { inspection } = await open(name);
    return Object.fromEntries(
      (inspection.callList ?? []).map(({ id, outcome, started, culprit }) => [
        id.replace(/^toolu_\w*?(\w{4}_\d)$/, '$1'),
        [outcome, started ? 'started' : 'never started', culprit?.slice(-6) ?? '-'].join(' '),
      ]),
    );
  };

  test('one failing call cancels the one that runs and the one that waits', async () => {
    expect(await endings('cascade-stream')).toEqual({
      '1dwp_1': 'error started -',
      '1dwp_2': 'cancelled started 1dwp_1',
      '1dwp_3': 'ok started -',
      '1dwp_4': 'ok started -',
      '1dwp_5': 'ok started -',
      '1dwp_6': 'cancelled never started 1dwp_1',
      p3mm_1: 'ok started -',
    });
    const { events } = await open('cascade-stream');
    expect(events.filter((event) => event.type === 'cascade-triggered')).toMatchObject([
      { t: 1129, policy: 'bash', victims: ['toolu_h6qvy101dwp_2', 'toolu_h6qvy101dwp_6'] },
    ]);
  });

  test('nobody is cancelled where calls start after the whole message', async () => {
    const { inspection } = await open('cascade-batch');
    expect(inspection).toMatchObject({ strategy: 'batch', cascade: 'none', cancelledBySibling: [], errors: 1 });
  });

  test('a culprit that is named by its tool alone is the one that failed by itself', async () => {
    expect(await endings('errors-stream')).toEqual({
      p7ns_1: 'error started -',
      p7ns_2: 'error started -',
      p7ns_3: 'error started -',
      p7ns_4: 'cancelled never started p7ns_3',
      p7ns_5: 'cancelled never started p7ns_3',
      p7ns_6: 'cancelled never started p7ns_3',
      p7ns_7: 'cancelled never started p7ns_3',
    });
  });

  test('a call that a hook denied is told from one that failed, and cancels too', async () => {
    expect(await endings('hooks-stream')).toEqual({
      vah8_1: 'ok started -',
      vah8_2: 'denied started -',
      vah8_3: 'cancelled never started vah8_2',
      vah8_4: 'cancelled never started vah8_2',
      n8ya_1: 'ok started -',
    });
    expect(await endings('hooks-batch')).toMatchObject({ dql8_2: 'denied started -', dql8_3: 'denied started -' });
  });

  test('an interruption is told from a refusal at the dialog, though both write the same text', async () => {
    expect(await endings('interactive')).toEqual({
      '69qf_1': 'interrupted started -',
      '69qf_2': 'ok started -',
      '69qf_3': 'interrupted never started -',
      ddol_1: 'ok started -',
      ddol_2: 'rejected started -',
    });
    const { events } = await open('interactive');
    expect(foldSession(events).turns.map((turn) => turn.end?.reason)).toEqual(['interrupted', 'rejected']);
    expect(events.filter((event) => event.type === 'interrupt-requested')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'permission-settled')).toMatchObject([
      { callId: 'toolu_4fkgpe8ddol_2', verdict: 'deny', by: 'user' },
    ]);
  });

  test('sub-agents hang on their calls, with their own lanes', async () => {
    const { events } = await open('agents-stream');
    const { agents, calls } = foldSession(events);
    expect(agents.map(({ depth, name, agentType }) => [depth, name, agentType])).toEqual([
      [1, 'survey source', 'Explore'],
      [1, 'survey docs', 'general-purpose'],
    ]);
    const parents = agents.map((agent) => calls.find((call) => call.callId === agent.parentCallId)?.summary);
    expect(parents).toEqual(['survey source', 'survey docs']);
  });

  test('outputs that were too large are found beside the session', async () => {
    const { inspection } = await open('persisted-stream');
    expect(inspection.persisted.map(({ found, bytes }) => [found, bytes])).toEqual([
      [true, 108_894],
      [true, 1_288_895],
    ]);
  });

  test('the strategy shows in the lines where the version does not tell', async () => {
    const strategies = await Promise.all(names.map(async (name) => [name, (await open(name)).inspection.strategy]));
    const wrong = strategies.filter(([name, strategy]) => name?.endsWith('-batch') && strategy !== 'batch');
    // Nine equal commands that all end well leave no trace of when they were let go.
    expect(wrong).toEqual([['persisted-batch', 'streaming']]);
    expect(strategies.filter(([name, strategy]) => name?.endsWith('-stream') && strategy !== 'streaming')).toEqual([]);
  });
});
