import type { PromptSource } from '../../src-shared/model/event.ts';

/** Words that a person or a project keeps for every agent that works here. */
export type MemoryText = PromptSource & {
  /** Empty where the file was left out; `note` then says why. */
  readonly text: string;
};

/** The files that people write for agents (`CLAUDE.md`, `AGENTS.md`) and what they import. */
export interface MemorySource {
  /** @param folder absolute. Outermost first, so that the nearest has the last word. Never throws. */
  read(folder: string): readonly MemoryText[];
}
