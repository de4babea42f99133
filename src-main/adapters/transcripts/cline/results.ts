import type { ContentBlock, ToolResult } from '../../../../src-shared/tool-call/content.ts';
import type { Outcome } from '../../../../src-shared/tool-call/event.ts';
import type { Refusal } from '../common/judged.ts';
import { contentOf } from '../plain/values.ts';
import { type Block, blocksOf } from './records.ts';

/** What the message after an answer says of the calls in it. */
export type SaidResult = {
  /** Given where results are blocks of their own. */
  readonly callId: string | undefined;
  /** The tool it names in its first line. */
  readonly tool: string | undefined;
  readonly outcome: Outcome;
  readonly ran: boolean;
  readonly refusal: Refusal | undefined;
  readonly result: ToolResult;
};

/** Results and everything else in a message that is not the model's. */
export type UserContent = {
  readonly results: readonly SaidResult[];
  /** A person's words. */
  readonly words: string;
  /** What the program put beside them. */
  readonly added: readonly string[];
};

const NOT_RUN = /^Tool \[([\w-]+)[\s\S]*?\] was not executed because/;
const ADDED = /^\s*(?:<environment_details>|\[TASK RESUMPTION\]|# ?Task Progress|# ?task_progress|\[ERROR\])/i;
/** Marks that the program puts around a person's words. */
const WRAPPED = /<(task|feedback|answer|user_message)>\s*([\s\S]*?)\s*<\/\1>/g;

/** Takes a user message apart. Most files write results as plain text after a line that names the tool. */
export function userContentOf(content: unknown): UserContent {
  const results: SaidResult[] = [];
  const words: string[] = [];
  const added: string[] = [];
  let open: { tool: string; content: ContentBlock[] } | undefined;
  const close = () => {
    if (open !== undefined) results.push(judged({ tool: open.tool, content: open.content }));
    open = undefined;
  };
  for (const block of blocksOf(content)) {
    const text = block.text ?? '';
    const header = block.type === 'text' ? headerOf(text) : undefined;
    const notRun = block.type === 'text' ? NOT_RUN.exec(text) : null;
    if (block.type === 'tool_result') {
      close();
      results.push(ofBlock(block));
    } else if (header !== undefined) {
      close();
      open = { tool: header.tool, content: contentOf(header.rest) };
    } else if (notRun !== null) {
      close();
      results.push({
        ...judged({ tool: notRun[1] ?? '', content: contentOf(text) }),
        outcome: 'cancelled',
        ran: false,
      });
    } else if (ADDED.test(text)) {
      close();
      added.push(text);
    } else if (open !== undefined) {
      open.content.push(...contentOf(block.type === 'text' ? text : block));
    } else {
      words.push(block.type === 'text' ? text : `[${block.type}]`);
    }
  }
  close();
  return { results, words: unwrapped(words.join('\n')), added };
}

/** A header repeats the input of its tool, which may be long and hold brackets of its own. */
const HEADER_CHARS = 20_000;
const RESULT = '] Result:';

/** `[read_file for 'a.ts'] Result:` and what follows. */
function headerOf(text: string): { readonly tool: string; readonly rest: string } | undefined {
  const tool = /^\[([\w-]+)[ \]]/.exec(text)?.[1];
  const end = tool === undefined ? -1 : text.slice(0, HEADER_CHARS).indexOf(RESULT);
  if (tool === undefined || end === -1) return undefined;
  return { tool, rest: text.slice(end + RESULT.length).replace(/^[ \t]*\n?/, '') };
}

const unwrapped = (text: string): string => {
  const inside = [...text.matchAll(WRAPPED)].map((found) => found[2] ?? '');
  return (inside.length > 0 ? inside.join('\n') : text).trim();
};

function ofBlock(block: Block): SaidResult {
  const said = judged({ tool: undefined, content: contentOf(block.content) });
  const isError = block.is_error === true || said.result.isError;
  const outcome = said.outcome === 'ok' && isError ? 'error' : said.outcome;
  return { ...said, callId: block.tool_use_id, outcome, result: { ...said.result, isError } };
}

/** How a call ended stands in the words of its result. */
function judged({
  tool,
  content,
}: {
  readonly tool: string | undefined;
  readonly content: ContentBlock[];
}): SaidResult {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const base = { callId: undefined, tool, refusal: undefined, ran: true };
  if (/^\s*The user denied this operation/i.test(text)) {
    const feedback = /<feedback>\s*([\s\S]*?)\s*<\/feedback>/.exec(text)?.[1];
    const refusal: Refusal = { by: 'user', text: 'The user denied this operation', feedback };
    return { ...base, outcome: 'rejected', ran: false, refusal, result: { content, isError: true } };
  }
  const failed =
    /^\s*(?:The tool execution failed with the following error|Error\b[^\n]*:|Missing value for required parameter)/i;
  const isError = failed.test(text) || /^\s*\{"status":"error"/.test(text);
  return { ...base, outcome: isError ? 'error' : 'ok', result: { content, isError } };
}
