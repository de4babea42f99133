import type { ResultStory } from '../common/story.ts';
import { MAX_ID } from '../common/unique-ids.ts';
import { type Collector, type Current, inFileOrder } from './collect.ts';
import type { Block } from './lines.ts';
import { factsOf, toolResultOf } from './results.ts';

type FoundResult = { readonly id: string; readonly result: ResultStory; readonly line: number; readonly file: string };

/** The results of calls, wherever they stand. */
export class ResultLines {
  readonly #collector: Collector;
  readonly #found: FoundResult[] = [];

  constructor(collector: Collector) {
    this.#collector = collector;
  }

  /** Results are paired by id alone, and only once all lines are read: a result may stand before its call. */
  add(current: Current, block: Block): void {
    const { line, place, agentKey, lineNo } = current;
    if (!block.tool_use_id) {
      this.#collector.finding(lineNo, 'result-without-id', 'A result names no call and was left out');
      return;
    }
    const twin = line.toolUseResult ?? line.tool_use_result;
    const result: ResultStory = {
      place,
      agentKey,
      shown: toolResultOf({ content: block.content, isError: block.is_error === true, twin }),
      facts: factsOf(twin),
      twinText: typeof twin === 'string' ? twin : undefined,
      denialKind: line.toolDenialKind,
    };
    const id = block.tool_use_id.slice(0, MAX_ID);
    this.#found.push({ id, result, line: lineNo, file: this.#collector.filePath });
    this.#collector.agents.noteResult(id, result.facts);
  }

  /** Gives each call its result. */
  pair(): void {
    const { calls, onFinding } = this.#collector;
    inFileOrder(this.#found, ({ result }) => result.place.ord);
    for (const call of calls.values()) call.result = undefined;
    // A result in the call's own agent comes before a copy of it in a fork's file.
    const own = (one: FoundResult) => calls.get(one.id)?.agentKey === one.result.agentKey;
    for (const one of [...this.#found.filter(own), ...this.#found.filter((other) => !own(other))]) {
      const call = calls.get(one.id);
      const at = { file: one.file, line: one.line };
      if (call === undefined) {
        onFinding({
          ...at,
          kind: 'result-without-call',
          message: `The call ${one.id} of this result is not in the files`,
        });
      } else if (call.result === undefined) {
        call.result = one.result;
      } else if (own(one)) {
        onFinding({
          ...at,
          kind: 'second-result',
          message: `A second result of ${one.id}; the first one is shown`,
        });
      }
    }
  }
}
