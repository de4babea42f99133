import { useEffect, useState } from 'react';
import type { SessionId } from '../../../src-shared/ids.ts';
import { type ContentBlock, keptIn, resultText, type ToolResult } from '../../../src-shared/tool-call/content.ts';
import { request } from '../../bridge.ts';
import { failureText } from '../../conversation/failure-text.ts';

/** Characters of a text that are fetched to be shown; longer ones are fetched whole when they are asked for. */
export const SHOWN_CHARACTERS = 400_000;

/** The result with the texts that were left in the file it was read from, up to so many characters of each. */
export async function withKeptTexts(
  sessionId: SessionId,
  result: ToolResult,
  characters = Number.MAX_SAFE_INTEGER,
): Promise<ToolResult> {
  if (keptIn(result.content).length === 0) return result;
  const content: ContentBlock[] = [];
  for (const block of result.content) {
    if (block.type !== 'text' || block.kept === undefined) {
      content.push(block);
      continue;
    }
    const { id } = block.kept;
    const { text } = await request('kept-text.read', { sessionId, id, from: 0, length: characters });
    content.push(text.length < block.kept.characters ? { ...block, text } : { type: 'text', text });
  }
  return { ...result, content };
}

/**
 * The end of a result's text: at least so many characters where it has them. Until they are fetched, and where they cannot
 * be, undefined.
 */
export function useEndOfResult(sessionId: SessionId, result: ToolResult | undefined, characters: number) {
  const [end, setEnd] = useState<{ readonly of: ToolResult; readonly text: string }>();
  const isKept = result !== undefined && keptIn(result.content).length > 0;
  useEffect(() => {
    if (!isKept) return;
    let gone = false;
    endOf(sessionId, result, characters).then(
      (text) => gone || setEnd({ of: result, text }),
      // The output page says why.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [sessionId, result, characters, isKept]);
  if (result === undefined) return undefined;
  if (!isKept) return resultText(result);
  return end?.of === result ? end.text : undefined;
}

async function endOf(sessionId: SessionId, { content }: ToolResult, length: number): Promise<string> {
  const last = content.at(-1);
  if (last?.type !== 'text' || last.kept === undefined) return resultText({ content, isError: false });
  const { id, characters } = last.kept;
  const from = Math.max(0, characters - length);
  return (await request('kept-text.read', { sessionId, id, from, length })).text;
}

export type WholeResult = {
  /** With as much of its texts as is known so far. */
  readonly result: ToolResult;
  /** Why the rest of it is not shown, where it cannot be read. */
  readonly problem: string | undefined;
  /** Fetches all of texts that are longer than what is shown; undefined where nothing is missing or on its way. */
  readonly showAll: (() => void) | undefined;
};

/** A call's result, of which long texts are fetched when it is looked at. */
export function useWholeResult(sessionId: SessionId, result: ToolResult): WholeResult {
  const [limit, setLimit] = useState(SHOWN_CHARACTERS);
  const [fetched, setFetched] = useState<{
    readonly of: ToolResult;
    readonly limit: number;
    readonly it: ToolResult;
  }>();
  const [problem, setProblem] = useState<string>();
  const isKept = keptIn(result.content).length > 0;
  useEffect(() => {
    if (!isKept) return;
    let gone = false;
    withKeptTexts(sessionId, result, limit)
      .then((it) => {
        if (gone) return;
        setFetched({ of: result, limit, it });
        setProblem(undefined);
      })
      .catch((error: unknown) => {
        if (!gone) setProblem(failureText(error));
      });
    return () => {
      gone = true;
    };
  }, [sessionId, result, limit, isKept]);
  const known = fetched?.of === result ? fetched : undefined;
  const shown = known?.it ?? result;
  const isShort = known?.limit === SHOWN_CHARACTERS && limit === SHOWN_CHARACTERS && keptIn(shown.content).length > 0;
  const showAll = isShort ? () => setLimit(Number.MAX_SAFE_INTEGER) : undefined;
  return { result: shown, problem: isKept ? problem : undefined, showAll };
}
