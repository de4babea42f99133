import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { foldSession, type SessionState } from '../../../../src-shared/session/state.ts';
import { Chance } from '../../../core/bash/testing/random.ts';
import { type Aftermath, described, dieAndGoOn, momentOf, rehearse } from './moment.ts';
import { bundlePrograms } from './programs.ts';

/** Many deaths of one story. */
export class Deaths {
  /** The story when nobody dies. */
  readonly whole: SessionState;
  readonly #programs: Awaited<ReturnType<typeof bundlePrograms>>;
  readonly #root: string;
  #lives = 0;

  private constructor(programs: Awaited<ReturnType<typeof bundlePrograms>>, root: string, whole: SessionState) {
    this.#programs = programs;
    this.#root = root;
    this.whole = whole;
  }

  static async prepare(): Promise<Deaths> {
    const programs = await bundlePrograms();
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-deaths-')));
    const { events } = await rehearse(join(root, 'whole'), programs);
    return new Deaths(programs, root, foldSession(events));
  }

  /** So many moments of chance, `atOnce` of them beside each other. What fails names its moment. */
  async try(seed: number, count: number, atOnce: number): Promise<readonly Aftermath[]> {
    const chance = new Chance(seed);
    const moments = Array.from({ length: count }, () => momentOf(chance, this.whole.nextSeq));
    const done: Aftermath[] = [];
    const work = async (): Promise<void> => {
      for (let moment = moments.shift(); moment !== undefined; moment = moments.shift()) {
        const root = join(this.#root, `life-${this.#lives++}`);
        done.push(
          await dieAndGoOn(root, this.#programs, moment).catch((cause: unknown) => {
            throw new Error(`seed ${seed}, ${described(moment)}: ${(cause as Error).message}`, { cause });
          }),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return done;
  }

  async dispose(): Promise<void> {
    await this.#programs.dispose();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A moment only tells something when the story holds what can break. */
export function expectFullStory(state: SessionState): void {
  const { calls, entries, agents, shells, requests, turns, compactions } = state;
  const assistants = entries.filter((entry) => entry.kind === 'assistant');
  const found = {
    agents: agents.length,
    compacted: compactions.length,
    nested: agents.filter(({ depth }) => depth > 1).length,
    shells: shells.length,
    saved: calls.filter(({ saved }) => saved !== undefined).length,
    asked: calls.filter(({ asks }) => asks.length > 0).length,
    fallen: calls.filter(({ cancellation }) => cancellation?.reason === 'sibling_error').length,
    writes: calls.filter((call) => call.tool === 'Write' && 'end' in call && call.end.outcome === 'ok').length,
    thrownAway: assistants.filter(({ discarded }) => discarded).length,
    broken: requests.filter(({ end }) => end?.kind === 'failed').length,
    thoughts: assistants.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === 'thinking').length,
    pictures: entries.filter((entry) => entry.kind === 'user' && entry.images.length > 0).length,
    typed: entries.filter((entry) => entry.kind === 'user' && entry.from === 'person').length - 1,
  };
  for (const [what, times] of Object.entries(found)) expect(times, what).toBeGreaterThan(0);
  expect(turns.at(0)?.end?.reason).toBe('completed');
}
