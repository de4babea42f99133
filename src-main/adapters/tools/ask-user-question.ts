import { z } from 'zod';
import { defineTool, type Validation } from '../../ports/tool.ts';
import { toolUseError } from './read-files.ts';

const MOST_QUESTIONS = 4;
/** Each has a number key on the card, and one is left for words of one's own. */
const MOST_OPTIONS = 8;

const Option = z.strictObject({
  label: z.string().trim().min(1).max(200).describe('What is chosen, in a few words'),
  description: z.string().max(2_000).default('').describe('What it would mean'),
});
const OneQuestion = z.strictObject({
  question: z.string().trim().min(1).max(2_000).describe('The whole question, with its question mark'),
  header: z.string().max(60).default('').describe('A word or two: Database'),
  options: z.array(Option).min(2).max(MOST_OPTIONS).describe('The person can always answer in own words besides'),
  multiSelect: z.boolean().default(false).describe('Several options may be chosen'),
});
const Input = z.strictObject({
  questions: z.array(OneQuestion).min(1).max(MOST_QUESTIONS),
});
/** What a person or a hook hands over: the same with an answer to each question, by the question's text. */
const Answered = Input.extend({ answers: z.record(z.string(), z.string()) });

type Input = z.output<typeof Input> & { readonly answers?: Readonly<Record<string, string>> };
type Output = { readonly answers: readonly { readonly question: string; readonly answer: string }[] };

/** Puts questions with ready answers to the person. Only their answers let it run (`core/permission/own-word.ts`). */
export const askUserQuestionTool = defineTool<Input, Output>({
  name: 'AskUserQuestion',
  description:
    'Asks the person one to four questions, each with options to choose from. Use it where only they can decide.',
  inputSchema: Input,
  changedSchema: Answered,
  isConcurrencySafe: () => true,
  isAlwaysSafe: true,
  isReadOnly: () => true,
  interruptBehavior: () => 'cancel',
  validateInput: async (input) => validate(input),
  async call({ questions, answers }) {
    if (answers === undefined) {
      throw new Error('Nobody answered. Decide it yourself, and say in your answer what you decided.');
    }
    const given = questions.map(({ question }) => ({ question, answer: answers[question] ?? '' }));
    return { output: { answers: given }, isError: false };
  },
  mapResult: ({ answers }) => ({
    content: [
      {
        type: 'text',
        text: ['The person answered:', ...answers.map(({ question, answer }) => `- ${question} → ${answer}`)].join(
          '\n',
        ),
      },
    ],
    isError: false,
  }),
  summarise: (input) => summaryOf(input),
  suggestRule: () => undefined,
  describeQuestion: async ({ questions }) => ({
    title: questions.length === 1 ? 'A question to you' : `${questions.length} questions to you`,
    reason: '',
    risk: 'question',
    dangerous: false,
    choices: questions,
  }),
});

function validate({ questions, answers }: Input): Validation {
  const twice = repeated(questions.map(({ question }) => question));
  if (twice !== undefined) return toolUseError(`The question "${twice}" is asked twice. Ask each once.`);
  for (const { question, options } of questions) {
    const label = repeated(options.map((option) => option.label));
    if (label !== undefined) return toolUseError(`"${question}" has the option "${label}" twice.`);
  }
  if (answers === undefined) return { ok: true };
  const open = questions.find(({ question }) => (answers[question] ?? '').trim() === '');
  return open === undefined ? { ok: true } : toolUseError(`"${open.question}" has no answer.`);
}

const repeated = (texts: readonly string[]): string | undefined => texts.find((text, at) => texts.indexOf(text) !== at);

function summaryOf(input: unknown): string {
  const parsed = Input.safeParse(input);
  const [first, ...more] = parsed.success ? parsed.data.questions : [];
  if (first === undefined) return '';
  const name = first.header.trim() === '' ? first.question : first.header;
  return more.length === 0 ? name : `${name} and ${more.length} more`;
}
