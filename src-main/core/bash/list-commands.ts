import type { SimpleCommand } from './analysis.ts';
import { mayHideCommands, type Refusal, refuse, toArg } from './arguments.ts';
import { judgeCommand } from './judge-command.ts';
import { judgeRedirection } from './judge-redirection.ts';
import { headOf, judgeCompound } from './judge-structure.ts';
import type { CommandNode, CompoundNode, Redirection, SimpleNode, Span } from './syntax.ts';

/** A command of the analysis with what speaks against it. */
export type Listed = {
  readonly node: CommandNode;
  readonly command: SimpleCommand;
  readonly refusal: Refusal | undefined;
  readonly names: readonly string[];
};

/** Whether anything in the text may run commands that are not listed. */
export function hidesCommands(found: readonly CommandNode[]): boolean {
  return found.some((node) => {
    const values = node.kind === 'simple' ? node.assignments.map(({ value }) => value) : [];
    const redirected = node.redirections.flatMap(({ target, heredoc }) =>
      heredoc?.body === undefined ? [target] : [target, heredoc.body],
    );
    return (
      [...node.words, ...values, ...redirected].some(mayHideCommands) ||
      (node.kind === 'compound' && node.form.startsWith('arithmetic'))
    );
  });
}

/** What the judging of a command has to know about its surroundings. */
type Around = {
  /** Redirections of the groups and loops it stands in. */
  readonly inherited: readonly Redirection[];
  /** It stands between `while` and `do`. */
  readonly isCondition: boolean;
  /** What speaks against the text as a whole; then nothing is judged by itself any more. */
  readonly general: Refusal | undefined;
};

/**
 * Every command of a reading, judged, in the order of the text. Compounds appear only where they are something to
 * ask about themselves; their redirections are handed down to the commands inside.
 */
export function listCommands(found: readonly CommandNode[], general?: Refusal): readonly Listed[] {
  const conditions = found.flatMap(conditionOf);
  let open: readonly CompoundNode[] = [];
  const listed = found.flatMap((node, index): readonly Listed[] => {
    open = open.filter(({ span }) => contains(span, node.span));
    const inherited = open.flatMap(({ redirections }) => redirections);
    const isCondition = general === undefined && conditions.some((span) => contains(span, node.span));
    const around: Around = { inherited, isCondition, general };
    if (node.kind === 'simple') return [listSimple(node, around)];
    if (node.redirections.length > 0) open = [...open, node];
    return listCompound(node, around, { isEmpty: isEmptyAt(found, index) });
  });
  return refuseInOtherFolders(listed);
}

/** The commands between `while` and `do`. */
function conditionOf(node: CommandNode): readonly Span[] {
  if (node.kind === 'simple' || node.form !== 'while') return [];
  const last = node.bodies[0]?.items.at(-1)?.pipelines.at(-1);
  return last === undefined ? [] : [{ start: node.span.start, end: last.span.end }];
}

/** Whether no command stands inside the compound at an index; those that do follow it in the order of the text. */
function isEmptyAt(found: readonly CommandNode[], index: number): boolean {
  const outer = found[index]!;
  for (let i = index + 1; i < found.length; i += 1) {
    const inner = found[i]!;
    if (inner.span.start >= outer.span.end) return true;
    if (isCommand(inner)) return false;
  }
  return true;
}

const isCommand = (node: CommandNode): boolean =>
  node.kind === 'simple' || node.form === 'test' || node.form === 'arithmetic';

const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

function listSimple(node: SimpleNode, { inherited, isCondition, general }: Around): Listed {
  const { refusal: own, names } = general === undefined ? judgeCommand(node) : { refusal: general, names: [] };
  // In `while read -r line` the variable is the loop's; elsewhere it is set for whatever follows.
  const sets = names.at(-1) === 'read' && !isCondition ? refuse('read sets a variable.', node) : undefined;
  const refusal = own ?? sets ?? firstRefusal(inherited);
  const args = node.words.map(toArg);
  const values = node.assignments.map(({ name, value }) => ({ name, arg: toArg(value) }));
  const targets = [...node.redirections, ...inherited].map(targetOf);
  return {
    node,
    refusal,
    names,
    command: {
      argv: args.map(({ text }) => text),
      env: values.map(({ name, arg }) => ({ name, value: arg.text })),
      redirections: targets.map(({ op, arg }) => ({ op, target: arg.text })),
      span: node.span,
      readOnly: refusal === undefined,
      reason: refusal?.reason ?? `${names.join(' ')} only reads here.`,
      exact: [...args, ...values.map(({ arg }) => arg), ...targets.map(({ arg }) => arg)].every(({ fixed }) => fixed),
    },
  };
}

function listCompound(
  node: CompoundNode,
  { inherited, general }: Around,
  { isEmpty }: { readonly isEmpty: boolean },
): readonly Listed[] {
  const own = judgeCompound(node);
  // A case without bodies has no command inside that could carry its redirections.
  const stands = isCommand(node) || (isEmpty && node.redirections.length > 0);
  if (own === undefined && !stands) return [];
  const targets = stands ? [...node.redirections, ...inherited] : [];
  const refusal = own ?? general ?? firstRefusal(targets);
  const args = node.words.map(toArg);
  const words = [...(node.name === undefined ? [] : [node.name]), ...args.map(({ text }) => text)];
  const argv =
    node.form === 'test' ? ['[[', ...words, ']]'] : [node.form === 'arithmetic' ? '((' : node.form, ...words];
  return [
    {
      node,
      refusal,
      names: [],
      command: {
        argv,
        env: [],
        redirections: targets.map(targetOf).map(({ op, arg }) => ({ op, target: arg.text })),
        span: headOf(node),
        readOnly: refusal === undefined,
        reason: refusal?.reason ?? 'A test only compares.',
        exact: args.every(({ fixed }) => fixed) && node.form === 'test',
      },
    },
  ];
}

function targetOf({ descriptor, op, target }: Redirection) {
  return { op: `${descriptor}${op}`, arg: toArg(target) };
}

function firstRefusal(redirections: readonly Redirection[]): Refusal | undefined {
  for (const redirection of redirections) {
    const refusal = judgeRedirection(redirection);
    if (refusal !== undefined) return { span: redirection.span, ...refusal };
  }
  return undefined;
}

const gitNames = new Set(['git', '/usr/bin/git', '/bin/git']);

/** git in another folder may meet another repository, whose hooks and helpers nobody has vouched for. */
function refuseInOtherFolders(listed: readonly Listed[]): readonly Listed[] {
  const leaves = listed.some(
    ({ names, command: { argv } }) => names.at(-1) === 'cd' && !/^\.\/?$/.test(argv.at(-1) ?? ''),
  );
  if (!leaves) return listed;
  return listed.map((one) => {
    if (one.refusal !== undefined || !one.names.some((name) => gitNames.has(name))) return one;
    const reason = 'After a change of folder, git may find another repository.';
    const { command } = one;
    return { ...one, refusal: { reason, span: command.span }, command: { ...command, readOnly: false, reason } };
  });
}
