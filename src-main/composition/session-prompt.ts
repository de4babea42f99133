import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { MemoryFiles } from '../adapters/memory/memory-files.ts';
import type { PreparePrompt } from '../app/session-prompts.ts';
import { agentPrompt, systemPrompt } from '../core/prompt/system-prompt.ts';
import type { MemorySource } from '../ports/memory.ts';
import type { SettingsSource } from '../ports/settings.ts';
import { clock } from './compose.ts';

/** The prompts of agents that work in a folder: our words, the surroundings, and what people keep in files there. */
export function promptFor(
  folder: string,
  settings: SettingsSource,
  env: NodeJS.ProcessEnv = process.env,
): PreparePrompt {
  const home = homedir();
  const memory: MemorySource = new MemoryFiles({
    home,
    claudeHome: env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(home, '.claude'),
    isTrusted: () => settings.current().trusted,
  });
  return ({ instructions, cwd, mode, tools, deferred }) => {
    const texts = memory.read(folder);
    const facts = {
      cwd,
      platform: process.platform,
      date: dateOf(clock.now()),
      isGit: isInRepository(folder),
      tools,
      deferred,
      memory: texts,
    };
    return {
      text: instructions === undefined ? systemPrompt({ ...facts, mode }) : agentPrompt(instructions, facts),
      sources: texts.map(({ text: _, ...source }) => source),
    };
  };
}

/** The day as the person's own clock has it: `2026-03-14`. */
function dateOf(at: number): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}
