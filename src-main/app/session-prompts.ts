import type { AgentId } from '../../src-shared/ids.ts';
import type { PromptSource } from '../../src-shared/model/event.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import type { AnyTool } from '../ports/tool.ts';
import type { SessionLog } from './session-log.ts';

/** What a prompt is made of. */
export type PromptOrder = {
  /** What the definition of a sub-agent tells it; undefined for the main agent. */
  readonly instructions: string | undefined;
  /** Where the agent works. Absolute. */
  readonly cwd: string;
  readonly tools: readonly string[];
  /** Tools whose schemas are loaded when the agent asks for them. */
  readonly deferred: readonly string[];
  readonly mode: PermissionMode;
};

export type PreparePrompt = (order: PromptOrder) => {
  readonly text: string;
  readonly sources: readonly PromptSource[];
};

/** Makes each agent's prompt once and records it, so that a session that goes on sends the same bytes. */
export class SessionPrompts {
  readonly #log: SessionLog;
  readonly #prepare: PreparePrompt | undefined;

  /** @param prepare undefined: an agent is told what its definition says and nothing else. */
  constructor(log: SessionLog, prepare: PreparePrompt | undefined) {
    this.#log = log;
    this.#prepare = prepare;
  }

  of(
    agent: { readonly agentId: AgentId; readonly prompt: string | undefined; readonly tools: readonly AnyTool[] },
    now: { readonly cwd: string; readonly mode: PermissionMode },
  ): string {
    const { prompts, model } = this.#log.state;
    const { agentId, prompt: instructions, tools } = agent;
    const known = prompts.find((prompt) => prompt.agentId === agentId);
    if (known !== undefined) return known.text;
    // A scenario answers the same whatever it is told.
    if (model === undefined || this.#prepare === undefined) return instructions ?? '';
    const names = (deferred: boolean) => tools.filter((tool) => tool.isDeferred === deferred).map(({ name }) => name);
    const { text, sources } = this.#prepare({ instructions, tools: names(false), deferred: names(true), ...now });
    this.#log.append({ type: 'prompt-prepared', agentId, text, sources: [...sources] });
    // On disk before it is sent.
    this.#log.flush();
    return text;
  }
}
