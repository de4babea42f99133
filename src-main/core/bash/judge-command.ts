import { type Arg, type Refusal, refuse, toArg, undecidedPart } from './arguments.ts';
import { judgeRedirection } from './judge-redirection.ts';
import { readOptions } from './options.ts';
import type { Program } from './programs/program.ts';
import { findProgram, isBuiltin } from './programs/registry.ts';
import { shellWrappers, wrappers } from './programs/wrappers.ts';
import { shellQuoteAgrees } from './second-opinion.ts';
import type { SimpleNode } from './syntax.ts';
import { judgePrefix } from './variables.ts';

export type Judgement = {
  readonly refusal: Refusal | undefined;
  /** The programs it runs, wrappers first: `timeout 5 git log` runs timeout and git. */
  readonly names: readonly string[];
};

/** Judges one simple command on its own. What surrounds it is judged in `judge-structure.ts`. */
export function judgeCommand(node: SimpleNode): Judgement {
  const names: string[] = [];
  const refusal = findRefusal(node, node.words.map(toArg), names);
  return { refusal: refusal === undefined ? undefined : { span: node.span, ...refusal }, names };
}

function findRefusal(node: SimpleNode, args: readonly Arg[], names: string[]): Refusal | undefined {
  for (const word of node.words) {
    const undecided = undecidedPart(word);
    if (undecided !== undefined) return undecided;
  }
  const [name] = args;
  if (name === undefined) {
    const [assignment] = node.assignments;
    return assignment === undefined
      ? refuse('A redirection without a command is not decided.', node)
      : refuse('A variable is set for the commands that follow.', assignment);
  }
  for (const prefix of node.assignments) {
    const refusal = undecidedPart(prefix.value) ?? judgePrefix(prefix, name.text);
    if (refusal !== undefined) return refusal;
  }
  const refusal = judgeCall(args, names, { viaXargs: false });
  if (refusal !== undefined) return refusal;
  for (const redirection of node.redirections) {
    const redirected = judgeRedirection(redirection);
    if (redirected !== undefined) return redirected;
  }
  return shellQuoteAgrees(node.pieces)
    ? undefined
    : refuse('Two readers of this command disagree about its parts.', node);
}

/** Judges a program and its arguments, looking through wrappers. */
function judgeCall(args: readonly Arg[], names: string[], how: { readonly viaXargs: boolean }): Refusal | undefined {
  const [name, ...rest] = args;
  if (name === undefined || !name.fixed) return refuse('It is not known which program this runs.', name);
  if (name.word.parts.some((part) => part.kind === 'ansi')) return refuse("The program is hidden in a $' quote.", name);
  names.push(name.text);
  const wrapper = wrappers.get(name.text) ?? shellWrappers.get(name.text);
  if (wrapper !== undefined && !how.viaXargs) {
    if (name.text === 'command' && /^-[vV]$/.test(rest[0]?.text ?? '')) return judgeLookup(rest.slice(1));
    const unwrapped = wrapper(rest);
    if ('reason' in unwrapped) return unwrapped;
    if (name.text === 'builtin' && !isBuiltin(unwrapped.inner[0]?.text ?? '')) {
      return refuse('This is not a builtin that is known to be harmless.', unwrapped.inner[0]);
    }
    return judgeCall(unwrapped.inner, names, how);
  }
  if (name.text === 'xargs' && !how.viaXargs) {
    // Without a command xargs runs echo.
    return rest.length === 0 ? undefined : judgeCall(rest, names, { viaXargs: true });
  }
  const program = findProgram(name.text);
  if (program === undefined) return refuse(`${shown(name.text)} is not known to only read.`, name);
  if (how.viaXargs && !program.harmless) {
    return refuse(`xargs adds unknown arguments, and ${name.text} has options that write or run something.`, name);
  }
  return judgeProgram(program, rest, name);
}

function judgeProgram(program: Program, args: readonly Arg[], name: Arg): Refusal | undefined {
  if ('judge' in program) return withSpan(program.judge(args), name);
  const call = readOptions(args, program);
  return withSpan('reason' in call ? call : program.check?.(call), name);
}

function judgeLookup(names: readonly Arg[]): Refusal | undefined {
  const open = names.find((arg) => !arg.fixed);
  return open === undefined ? undefined : refuse('The value of this part is not known.', open);
}

function withSpan(refusal: Refusal | undefined, name: Arg): Refusal | undefined {
  return refusal === undefined ? undefined : { span: name.span, ...refusal };
}

function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 39)}…` : name;
}
