import { type AnalysedScript, readAndAnalyse, type SimpleCommand } from '../bash/analyse-bash.ts';
import { type Arg, toArg } from '../bash/arguments.ts';
import type { AndOr, CommandNode, CompoundNode, Pipeline, Redirection, Script } from '../bash/syntax.ts';
import { folderAfter } from './change-of-folder.ts';
import type { Ground } from './ground.ts';
import { baseOf, innerTexts, innerWords, readsCommands } from './wrapped-commands.ts';

/** The folders a command may run in, in the form of `paths.ts`. Undefined: it cannot be told. */
export type Folders = readonly string[] | undefined;

/** One command of a text, where it runs and what surrounds it. */
export type Step = {
  readonly node: CommandNode;
  readonly command: SimpleCommand;
  readonly folders: Folders;
  /** Its own redirections and those of the groups and loops around it. */
  readonly redirections: readonly Redirection[];
  /** The commands before it in its pipeline, whose output it may read names from. */
  readonly before: readonly CommandNode[];
};

/** A command text with everything that rules about files want to know. */
export type BashScript = AnalysedScript & {
  readonly text: string;
  readonly steps: readonly Step[];
  /** Something in it changes the folder. */
  readonly changesFolder: boolean;
};

type Facts = Pick<Step, 'folders' | 'redirections' | 'before'>;

export function readScript(text: string, ground: Ground): BashScript {
  const analysed = readAndAnalyse(text);
  const { analysis, script, nodes } = analysed;
  const isStill = !nodes.some(changesFolder);
  const walk = new Walk(ground, isStill);
  walk.script(script, [ground.cwd], []);
  // Those in substitutions are not followed in the order of their running.
  const isHiddenStill = isStill || !nodes.some((node) => !walk.facts.has(node) && changesFolder(node));
  const steps = nodes.flatMap((node, index): readonly Step[] => {
    const command = analysis.commands[index];
    return command === undefined
      ? []
      : [{ node, command, ...(walk.facts.get(node) ?? walk.hidden(node, isHiddenStill)) }];
  });
  return { ...analysed, text, steps, changesFolder: !isStill && !staysHere(nodes, ground) };
}

export const wordsOf = (node: CommandNode): readonly Arg[] => node.words.map(toArg);

/** Texts in a step that another shell runs: `bash -c TEXT`, `eval WORDS`, and what a shell reads from its input. */
export function handedTexts({ node, before }: Step, text: string): readonly string[] {
  const all = innerWords(wordsOf(node));
  const given = all.flatMap(({ argv }) => innerTexts(argv));
  if (!all.some(({ argv }) => readsCommands(argv))) return given;
  const printed = before.flatMap((each) => {
    const [name, ...words] = wordsOf(each);
    const isPrinter = /^(?:echo|printf)$/.test(baseOf(name?.text ?? ''));
    return [...inputTexts(each, text), ...(isPrinter ? [words.map((word) => word.text).join(' ')] : [])];
  });
  return [...given, ...inputTexts(node, text), ...printed];
}

/** Here-documents and here-strings. */
const inputTexts = ({ redirections }: CommandNode, text: string): readonly string[] =>
  redirections.flatMap(({ op, target, heredoc }) => {
    if (op === '<<<') return [toArg(target).text];
    return heredoc?.body === undefined ? [] : [text.slice(heredoc.body.span.start, heredoc.body.span.end)];
  });

/** What lies behind a command that may succeed or fail: `cd x` changes the folder only in one case. */
type Ends = { readonly well: Folders; readonly badly: Folders };

const union = (a: Folders, b: Folders): Folders =>
  a === undefined || b === undefined ? undefined : [...new Set([...a, ...b])];

/** Goes through a script in the order of its running, and notes in which folder each command may find itself. */
class Walk {
  readonly facts = new Map<CommandNode, Facts>();
  readonly #ground: Ground;
  /** Nothing in the whole text changes the folder. */
  readonly #isStill: boolean;

  constructor(ground: Ground, isStill: boolean) {
    this.#ground = ground;
    this.#isStill = isStill;
  }

  script({ items }: Script, folders: Folders, around: readonly Redirection[]): Folders {
    let at = folders;
    for (const item of items) {
      const after = this.#list(item, at, around);
      // A list in the background runs in a shell of its own.
      if (item.background === undefined) at = after;
    }
    return at;
  }

  #list({ pipelines, connectors }: AndOr, folders: Folders, around: readonly Redirection[]): Folders {
    const [first, ...rest] = pipelines;
    if (first === undefined) return folders;
    let ends = this.#pipeline(first, folders, around);
    rest.forEach((pipeline, index) => {
      if (connectors[index] === '&&') {
        const next = this.#pipeline(pipeline, ends.well, around);
        ends = { well: next.well, badly: union(ends.badly, next.badly) };
      } else {
        const next = this.#pipeline(pipeline, ends.badly, around);
        ends = { well: union(ends.well, next.well), badly: next.badly };
      }
    });
    return union(ends.well, ends.badly);
  }

  #pipeline({ stages }: Pipeline, folders: Folders, around: readonly Redirection[]): Ends {
    const [only] = stages;
    if (stages.length === 1 && only !== undefined) return this.#command(only, folders, around, []);
    // Every stage is a shell of its own.
    for (const [index, stage] of stages.entries()) this.#command(stage, folders, around, stages.slice(0, index));
    return { well: folders, badly: folders };
  }

  #command(node: CommandNode, folders: Folders, around: readonly Redirection[], before: readonly CommandNode[]): Ends {
    const redirections = [...node.redirections, ...around];
    this.facts.set(node, { folders, redirections, before });
    if (node.kind === 'compound') {
      const after = this.#compound(node, folders, redirections);
      return { well: after, badly: after };
    }
    const after = folderAfter(wordsOf(node), folders, this.#ground);
    return { well: after === 'same' ? folders : after, badly: folders };
  }

  #compound(node: CompoundNode, folders: Folders, around: readonly Redirection[]): Folders {
    switch (node.form) {
      case 'group':
        return this.#each(node.bodies, folders, around);
      case 'subshell':
      case 'coproc':
        this.#each(node.bodies, folders, around);
        return folders;
      case 'if':
      case 'case':
        return this.#branches(node.bodies, folders, around);
      case 'while':
      case 'for':
      case 'select':
      case 'arithmetic for':
        return this.#loop(node.bodies, folders, around);
      case 'function':
        // It may be called from anywhere, and then change the folder there.
        this.#each(node.bodies, this.#isStill ? folders : undefined, around);
        return changesFolder(node) ? undefined : folders;
      case 'test':
      case 'arithmetic':
        return folders;
    }
  }

  #each(bodies: readonly Script[], folders: Folders, around: readonly Redirection[]): Folders {
    return bodies.reduce<Folders>((at, body) => this.script(body, at, around), folders);
  }

  /** Any of the bodies may have run before the next one, or none. */
  #branches(bodies: readonly Script[], folders: Folders, around: readonly Redirection[]): Folders {
    return bodies.reduce<Folders>((at, body) => union(at, this.script(body, at, around)), folders);
  }

  /** What the last round has left is where the next one starts. */
  #loop(bodies: readonly Script[], folders: Folders, around: readonly Redirection[]): Folders {
    const after = this.#branches(bodies, folders, around);
    if (after !== undefined && folders !== undefined && after.length === folders.length) return after;
    return this.#branches(bodies, undefined, around);
  }

  /** A command in a substitution or here-document: it starts where the command around it does. */
  hidden(node: CommandNode, isStill: boolean): Facts {
    const around = [...this.facts].filter(([{ span }]) => span.start <= node.span.start && node.span.end <= span.end);
    // What stands in a here-document lies behind its command.
    const folders = this.#isStill ? [this.#ground.cwd] : around.at(-1)?.[1].folders;
    return { folders: isStill ? folders : undefined, redirections: node.redirections, before: [] };
  }
}

/** `cd .` and its like. */
const staysHere = (nodes: readonly CommandNode[], ground: Ground): boolean =>
  nodes.every((node) => {
    const after = node.kind === 'simple' ? folderAfter(wordsOf(node), [ground.cwd], ground) : 'same';
    return after === 'same' || (after?.length === 1 && after[0] === ground.cwd);
  });

const changesFolder = (node: CommandNode): boolean =>
  node.kind === 'simple'
    ? innerWords(wordsOf(node)).some(({ argv }) => /^(?:cd|pushd|popd|chdir|eval|source|\.)$/.test(argv[0]?.text ?? ''))
    : node.bodies.some((body) =>
        body.items.some(({ pipelines }) => pipelines.some(({ stages }) => stages.some(changesFolder))),
      );
