import type { Command } from './command.ts';
import { SESSION_COMMANDS } from './session-commands.ts';
import { TIMELINE_COMMANDS } from './timeline-commands.ts';
import { PAGE_COMMANDS, VIEW_COMMANDS } from './view-commands.ts';

/** Every command, in the order of the palette. */
export const COMMANDS: readonly Command[] = [
  ...SESSION_COMMANDS,
  ...PAGE_COMMANDS,
  ...TIMELINE_COMMANDS,
  ...VIEW_COMMANDS,
];

/** A command of the table. Fails for a name that is not in it. */
export function commandById(id: string): Command {
  const command = COMMANDS.find((one) => one.id === id);
  if (command === undefined) throw new Error(`There is no command ${id}.`);
  return command;
}
