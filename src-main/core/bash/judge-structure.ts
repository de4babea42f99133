import { type Refusal, refuse, undecidedPart } from './arguments.ts';
import { judgeDoubleBracket } from './conditional.ts';
import { shellQuoteAgreesOnWords } from './second-opinion.ts';
import type { CommandNode, CompoundForm, CompoundNode, Script, Span } from './syntax.ts';
import { isHarmlessVariable } from './variables.ts';

const refusedForms: Readonly<Record<CompoundForm, string | undefined>> = {
  group: undefined,
  subshell: undefined,
  if: undefined,
  while: undefined,
  for: undefined,
  case: undefined,
  test: undefined,
  select: 'A menu waits for keys.',
  'arithmetic for': 'A calculation may run commands.',
  arithmetic: 'A calculation may run commands.',
  function: 'A function is defined, which can stand for any later command.',
  coproc: 'A process is started beside the command.',
};

/** What speaks against a compound command itself. Its redirections and the commands in it are judged elsewhere. */
export function judgeCompound(node: CompoundNode): Refusal | undefined {
  const span = headOf(node);
  const reason = refusedForms[node.form];
  if (reason !== undefined) return { reason, span };
  if (node.form === 'test') {
    const refusal = judgeDoubleBracket(node.words);
    if (refusal !== undefined) return { span, ...refusal };
  }
  for (const word of node.words) {
    const undecided = undecidedPart(word);
    if (undecided !== undefined) return undecided;
  }
  if (node.name !== undefined && !isHarmlessVariable(node.name)) {
    return { reason: 'The loop sets a variable that other programs may look at.', span };
  }
  // The tokens of [[ ]] follow a grammar that shell-quote does not know.
  if (node.form === 'test' || shellQuoteAgreesOnWords(node.words)) return undefined;
  return { reason: 'Two readers of this command disagree about its parts.', span };
}

/** The whole of a test, and the first words of anything longer. */
export function headOf({ form, span }: CompoundNode): Span {
  const isShort = form === 'test' || form === 'arithmetic';
  return isShort ? span : { start: span.start, end: Math.min(span.end, span.start + 12) };
}

/** Lists that go on in the background after the command has ended. */
export function backgroundRefusals(script: Script): readonly Refusal[] {
  return script.items.flatMap((item) => [
    ...(item.background === undefined
      ? []
      : [refuse('A process is left running in the background.', { span: item.background })]),
    ...item.pipelines.flatMap(({ stages }) => stages.flatMap(insideBackgrounds)),
  ]);
}

function insideBackgrounds(node: CommandNode): readonly Refusal[] {
  return node.kind === 'simple' ? [] : node.bodies.flatMap(backgroundRefusals);
}
