import type { BashAnalysis } from './analysis.ts';

/**
 * The names of the programs in a command, without folders, each once, in the order of the text. Wrappers count as
 * the program they are; a name that is an expansion stands as written.
 */
export function commandNames(analysis: BashAnalysis): readonly string[] {
  const names = analysis.commands.flatMap(({ argv: [name] }) => (name === undefined ? [] : [nameOf(name)]));
  return [...new Set(names)];
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1) || word;
}
