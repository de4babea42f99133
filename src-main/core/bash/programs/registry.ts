import { judgeAwk } from './awk.ts';
import { builtins } from './builtins.ts';
import { judgeDocker } from './docker.ts';
import { filePrograms } from './files.ts';
import { judgeFind } from './find.ts';
import { judgeGit } from './git.ts';
import { judgeJq } from './jq.ts';
import type { Program, ProgramTable } from './program.ts';
import { searchPrograms } from './search.ts';
import { judgeSed } from './sed.ts';
import { systemPrograms } from './system.ts';
import { textPrograms } from './text.ts';
import { versionPrograms } from './versions.ts';

const withOwnGrammar: ProgramTable = {
  find: { judge: judgeFind },
  git: { judge: judgeGit },
  jq: { judge: judgeJq },
  sed: { judge: judgeSed },
  gsed: { judge: judgeSed },
  awk: { judge: judgeAwk },
  gawk: { judge: judgeAwk },
  mawk: { judge: judgeAwk },
  nawk: { judge: judgeAwk },
  docker: { judge: judgeDocker },
};

// A Map, so that names such as `constructor` find nothing.
const programs: ReadonlyMap<string, Program> = new Map(
  [versionPrograms, textPrograms, filePrograms, searchPrograms, systemPrograms, builtins, withOwnGrammar].flatMap(
    (table) => Object.entries(table),
  ),
);

const builtinNames: ReadonlySet<string> = new Set(Object.keys(builtins));

/** Looks a command up by its decoded name; a path counts only when it is in a folder of the system. */
export function findProgram(name: string): Program | undefined {
  const system = /^\/(?:usr\/)?bin\/([^/]+)$/.exec(name)?.[1];
  return programs.get(system ?? name);
}

/** Whether bash itself carries the command out. */
export function isBuiltin(name: string): boolean {
  return builtinNames.has(name);
}
