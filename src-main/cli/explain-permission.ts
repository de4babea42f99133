import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { realPathNow } from '../app/permission-world.ts';
import { type Explanation, explainPermission, type Here, Question } from '../core/permission/explain.ts';
import { firstSentence, type Io, UsageError } from './io.ts';
import { answerLines, type Input, wrongFields } from './json-lines.ts';

export const EXPLAIN_PERMISSION_USAGE = 'gantry explain-permission QUESTION [--json] | --stdin-jsonl';

/**
 * `gantry explain-permission`: what the permission chain says to a call, and everything it looked at
 * (docs/permissions.md). The question is JSON: `{settings, mode, hook, cwd, project_root, home, platform, tool, input}`.
 */
export async function explainPermissionCommand(args: readonly string[], io: Io, input: Input): Promise<number> {
  const { question, json, lines } = parse(args);
  const here: Here = { cwd: process.cwd(), home: homedir(), platform: process.platform, realPath: realPathNow };
  const answer = (value: unknown): Explanation => explainPermission(questionIn(value), here);
  if (lines) return answerLines(input, io, { name: 'explain-permission', answer: (value) => asLine(answer(value)) });
  const explanation = answer(parsedQuestion(question));
  io.stdout(json ? `${JSON.stringify(asLine(explanation))}\n` : asText(explanation));
  return 0;
}

function questionIn(value: unknown): Question {
  const question = Question.safeParse(value);
  if (question.success) return question.data;
  throw new Error(
    `A question looks like {"tool": "Bash", "input": {"command": "ls"}}. ${wrongFields(question.error.issues)}`,
  );
}

function parsedQuestion(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongWords(`The question is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Warnings only where there are some, so that most lines are the documented pair. */
const asLine = ({ decision, by, trace, warnings }: Explanation) => ({
  decision,
  by,
  trace,
  ...(warnings.length === 0 ? {} : { warnings }),
});

function parse(args: readonly string[]): {
  readonly question: string;
  readonly json: boolean;
  readonly lines: boolean;
} {
  const { values, positionals } = readWords(args);
  const lines = values['stdin-jsonl'] === true;
  const [question, ...more] = positionals;
  if (lines && question !== undefined) throw wrongWords('With --stdin-jsonl the questions come from standard input.');
  if (!lines && question === undefined) throw wrongWords('A question is missing.');
  if (more.length > 0) throw wrongWords('Give one question, in quotes.');
  return { question: question ?? '', json: values.json === true, lines };
}

const wrongWords = (what: string): UsageError => new UsageError(`${what}\nusage: ${EXPLAIN_PERMISSION_USAGE}`);

function readWords(args: readonly string[]) {
  try {
    const options = { 'stdin-jsonl': { type: 'boolean' }, json: { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (cause) {
    throw wrongWords(firstSentence(cause));
  }
}

function asText({ decision, trace, warnings }: Explanation): string {
  const width = Math.max(...trace.map(({ step }) => step.length));
  const rows = trace.map(({ step, verdict, text, detail }) => {
    const more = detail === undefined ? '' : ` (${detail})`;
    return `  ${step.padEnd(width)}  ${verdict.padEnd(5)}  ${text}${more}`;
  });
  return [decision, ...rows, ...warnings.map((warning) => `warning: ${warning}`), ''].join('\n');
}
