import { type Arg, toArg } from '../bash/arguments.ts';
import type { CommandNode, CompoundNode, Span, WordPart } from '../bash/syntax.ts';
import type { BashScript, Folders } from './bash-script.ts';
import type { Ground } from './ground.ts';
import { hasShellWildcard, SHELL_ONE, SHELL_STAR } from './path-wildcards.ts';
import { baseOf, innerWords } from './wrapped-commands.ts';

/**
 * The texts a word can become, wildcards of the shell marked as in `path-wildcards.ts`. Undefined: it cannot be told from
 * the command alone.
 */
export type Values = readonly string[] | undefined;

/** More than these are not told apart. */
const MOST_VALUES = 64;

/** Builtins that set the variables they name, and those that may set any. */
const SETTERS = new Set('read mapfile readarray export declare typeset local readonly unset printf'.split(' '));
const SET_ANY = new Set('eval source . let getopts'.split(' '));

type Assigned = { readonly name: string; readonly value: Arg; readonly at: number; readonly always: boolean };

/** What words mean in one command text: quotes, `~`, `$HOME`, loops over known lists, variables set in plain sight. */
export class ShellValues {
  readonly #ground: Ground;
  readonly #assigned: readonly Assigned[];
  readonly #loops: readonly CompoundNode[];
  readonly #unsettled: ReadonlySet<string>;
  /** Anything may have set any variable. */
  readonly #blind: boolean;
  /** Wildcards may mean more than usual: names with a dot in front, several folders deep. */
  readonly #widens: boolean;

  constructor({ analysis, script, found: nodes }: BashScript, ground: Ground) {
    this.#ground = ground;
    const always = new Set<CommandNode>(
      script.items.flatMap(({ pipelines: [first], background }) =>
        first?.stages.length === 1 && background === undefined ? first.stages : [],
      ),
    );
    this.#assigned = nodes.flatMap((node) =>
      node.kind === 'simple' && node.words.length === 0
        ? node.assignments.map(({ name, value, span, plain }) => ({
            name: plain ? name : '',
            value: toArg(value),
            at: span.start,
            always: always.has(node),
          }))
        : [],
    );
    this.#loops = nodes.filter((node) => node.kind === 'compound').filter(({ name }) => name !== undefined);
    const commands = nodes.flatMap((node) => (node.kind === 'simple' ? innerWords(node.words.map(toArg)) : []));
    const nameOf = (argv: readonly Arg[]): string => baseOf(argv[0]?.text ?? '');
    this.#unsettled = new Set(
      commands.flatMap(({ argv }) =>
        SETTERS.has(nameOf(argv)) ? argv.slice(1).map(({ text }) => /^\w*/.exec(text)?.[0] ?? '') : [],
      ),
    );
    this.#blind = !analysis.parsed || commands.some(({ argv }) => SET_ANY.has(nameOf(argv)));
    this.#widens =
      commands.some(({ argv }) => nameOf(argv) === 'shopt') ||
      nodes.some((node) => node.kind === 'simple' && node.assignments.some(({ name }) => name === 'GLOBIGNORE'));
  }

  of(arg: Arg, folders: Folders): Values {
    let values: Values = [''];
    for (const [index, part] of arg.word.parts.entries()) {
      const next = this.#part(part, index === 0, arg.span, folders);
      if (values === undefined || next === undefined || values.length * next.length > MOST_VALUES) return undefined;
      values = values.flatMap((before) => next.map((text) => before + text));
    }
    return this.#widens && values?.some(hasShellWildcard) ? undefined : values;
  }

  #part(part: WordPart, isFirst: boolean, span: Span, folders: Folders): Values {
    switch (part.kind) {
      case 'ansi':
        return part.sure ? [part.text] : undefined;
      case 'text':
        return part.quoted ? [part.text] : this.#bare(part.text, isFirst);
      case 'substitution':
        return undefined;
      case 'expansion': {
        if (part.risk === 'number') return ['0'];
        const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(part.source)?.[1];
        const values = name === undefined ? undefined : this.#variable(name, span, folders);
        // Without quotes a value is cut at blanks and its stars are replaced.
        return part.quoted || values?.every((value) => !/[\s*?[\\]/.test(value)) ? values : undefined;
      }
    }
  }

  #bare(text: string, isFirst: boolean): Values {
    if (isFirst && text.startsWith('~')) {
      return /^~(?:\/|$)/.test(text)
        ? this.#bare(text.slice(1), false)?.map((rest) => this.#ground.home + rest)
        : undefined;
    }
    const [, before = '', inside, after = ''] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(text) ?? [];
    if (inside?.includes(',')) return inside.split(',').map((each) => marked(before + each + after));
    if (inside !== undefined && /^\w+\.\.\w+$/.test(inside)) return [marked(before) + SHELL_STAR + marked(after)];
    return /\{[^}]*(?:,|\.\.)/.test(text) ? undefined : [marked(text)];
  }

  #variable(name: string, { start, end }: Span, folders: Folders): Values {
    if (this.#blind || this.#unsettled.has(name)) return undefined;
    const loops = this.#loops.filter((loop) => loop.name === name);
    if (loops.length > 0) {
      const [loop] = loops;
      const isIn = loop?.form === 'for' && loop.span.start <= start && end <= loop.span.end;
      const words = loop?.words.map(toArg) ?? [];
      if (loops.length > 1 || !isIn || words.length === 0 || this.#sets(name).length > 0) return undefined;
      return this.#union(words, folders);
    }
    const assigned = this.#sets(name);
    if (assigned.length > 0) {
      const isSet = assigned.some(({ at, always }) => always && at < start);
      return isSet
        ? this.#union(
            assigned.map(({ value }) => value),
            folders,
          )
        : undefined;
    }
    if (name === 'HOME') return [this.#ground.home];
    return name === 'PWD' ? folders : undefined;
  }

  /** Assignments in whatever place; one to a part of an array may be to any variable. */
  #sets(name: string): readonly Assigned[] {
    return this.#assigned.filter((each) => each.name === name || each.name === '');
  }

  /** A word that holds the variable itself (`X=$X/a`) would never end. */
  #union(words: readonly Arg[], folders: Folders): Values {
    const isPlain = words.every(({ word }) => word.parts.every(({ kind }) => kind === 'text' || kind === 'ansi'));
    const all = isPlain ? words.map((word) => this.of(word, folders)) : [undefined];
    return all.includes(undefined) ? undefined : all.flatMap((values) => values ?? []);
  }
}

/** Wildcards of unquoted text. Of `[…]` it is only known that it is in a name. */
const marked = (text: string): string =>
  text
    .replace(/\[[^\]]*\]/g, SHELL_STAR)
    .replaceAll('*', SHELL_STAR)
    .replaceAll('?', SHELL_ONE);
