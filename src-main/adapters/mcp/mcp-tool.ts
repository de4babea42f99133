import { blocksOf, outputOf } from '../../core/mcp/content.ts';
import { schemaOfInput } from '../../core/mcp/input-schema.ts';
import { questionAbout, summaryOf } from '../../core/mcp/words.ts';
import { type AnyTool, defineTool, type ToolProgress } from '../../ports/tool.ts';
import type { ListedTool } from './open-server.ts';
import type { ServerConnection } from './server-connection.ts';

/** Longer descriptions are cut: they stand in every request. */
const MOST_DESCRIPTION = 2_048;
const MOST_TAIL = 2_048;

export type McpToolOptions = {
  /** Its name in the session, unique. */
  readonly name: string;
  readonly listed: ListedTool;
  readonly connection: ServerConnection;
  readonly isDeferred: boolean;
  readonly resultCharacters: number;
};

/** One tool of a server. What its server says of it decides what may run beside it, never whether it may run. */
export function mcpTool({ name, listed, connection, isDeferred, resultCharacters }: McpToolOptions): AnyTool {
  const server = connection.definition.name;
  const hints = listed.annotations ?? {};
  const readOnly = hints.readOnlyHint === true;
  const wantsPerson = listed._meta?.['anthropic/requiresUserInteraction'] === true;
  return defineTool<unknown, unknown>({
    name,
    description: descriptionOf(listed),
    inputSchema: schemaOfInput(listed.inputSchema),
    jsonSchema: { ...listed.inputSchema, type: 'object' },
    isDeferred,
    isConcurrencySafe: () => readOnly,
    isAlwaysSafe: readOnly,
    isReadOnly: () => readOnly,
    interruptBehavior: () => (readOnly ? 'cancel' : 'block'),
    maxResultSizeChars: resultCharacters,
    checkPermissions: async () =>
      wantsPerson
        ? { verdict: 'ask', because: 'The server wants a person to answer' }
        : { verdict: 'pass', because: `What ${name} does is up to its server` },
    async call(input, _context, run) {
      const answer = await connection.call(listed.name, input, {
        signal: run.signal,
        onProgress: told(run.onProgress),
      });
      return { output: outputOf(answer), isError: answer.isError === true };
    },
    mapResult: (output) => ({ content: blocksOf(output), isError: false }),
    summarise: summaryOf,
    // No rule would spare the question.
    suggestRule: () => (wantsPerson ? undefined : name),
    describeQuestion: async () => questionAbout({ server, name: listed.name }, hints),
  });
}

function descriptionOf({ description, title, annotations, name }: ListedTool): string {
  const text = description ?? title ?? annotations?.title ?? name;
  return text.length <= MOST_DESCRIPTION ? text : `${text.slice(0, MOST_DESCRIPTION - 1)}…`;
}

/** Progress of the protocol as lines of text: `3 of 10: compiling`. */
function told(onProgress: (progress: ToolProgress) => void) {
  let bytes = 0;
  let lines = 0;
  let tail = '';
  return ({
    progress,
    total,
    message,
  }: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => {
    const count = total === undefined ? String(progress) : `${progress} of ${total}`;
    const line = message === undefined ? count : `${count}: ${message}`;
    bytes += Buffer.byteLength(line) + 1;
    lines++;
    tail = `${tail}${line}\n`.slice(-MOST_TAIL);
    onProgress({ bytes, lines, tail });
  };
}
