import { Eye, Lock } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SessionId } from '../../../src-shared/ids.ts';
import { formatCount } from '../../../src-shared/timeline/words.ts';
import {
  type ContentBlock,
  keptIn,
  lengthOf,
  resultText,
  type ToolResult,
} from '../../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { classes } from '../../widgets/classes.ts';
import { plainText } from './ansi.ts';
import styles from './Card.module.css';
import { LineList } from './LineList.tsx';
import { LineView } from './LineView.tsx';
import { PagePainter } from './paint-page.ts';
import { useWholeResult } from './whole-result.ts';

type Ended = Extract<ToolCall, { phase: 'completed' | 'yielded' }>;

/** What went back to the model for a call: exactly this, and in every later request the same (spec 2.8). */
export function ModelSaw({
  sessionId,
  call,
  className,
}: {
  readonly sessionId: SessionId;
  readonly call: Ended;
  readonly className?: string | undefined;
}) {
  const { result, problem, showAll } = useWholeResult(sessionId, call.end.result);
  const text = useMemo(
    () => resultText({ ...result, content: result.content.filter((block) => block.type === 'text') }),
    [result],
  );
  const missing = keptIn(result.content).reduce((sum, { characters }) => sum + characters, 0);
  const characters = missing === 0 ? text.length : lettersOf(result);
  const others = result.content.filter((block) => block.type !== 'text');
  const [showsCodes, setShowsCodes] = useState(false);
  const hasCodes = text.includes('\x1b');
  return (
    <section className={classes(styles.card, className)} aria-label="What the model saw">
      <header className={styles.head}>
        <Eye aria-hidden="true" size={15} />
        <h3 className={styles.title}>What the model saw</h3>
        <span className={styles.note}>
          {text === '' && others.length > 0 ? blocksWords(others) : `${formatCount(characters)} characters`}
          {call.phase === 'yielded' ? ', frozen' : ''}
        </span>
        {hasCodes ? (
          <button
            type="button"
            className={styles.toggle}
            aria-pressed={showsCodes}
            onClick={() => setShowsCodes(!showsCodes)}
          >
            Colour codes
          </button>
        ) : null}
      </header>
      {others.length === 0 ? null : (
        <div className={styles.blocks}>
          {others.map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of an ended call never change
            <Block key={at} block={block} />
          ))}
        </div>
      )}
      {problem === undefined ? null : <p className={styles.problem}>{problem} This is the beginning of the text.</p>}
      {text === '' && others.length > 0 ? null : <TextLines text={text} showsCodes={showsCodes} />}
      {showAll === undefined ? null : (
        <footer className={styles.foot}>
          The first {formatCount(text.length)} characters.
          <button type="button" className={styles.toggle} onClick={showAll}>
            Show all
          </button>
        </footer>
      )}
      {call.phase === 'yielded' ? (
        <footer className={styles.foot}>
          <Lock aria-hidden="true" size={14} /> Sent in exactly this form in every later request.
        </footer>
      ) : null}
    </section>
  );
}

const lettersOf = ({ content }: ToolResult): number =>
  content.reduce((sum, block) => sum + (block.type === 'text' ? lengthOf(block) : 0), 0);

const blocksWords = (blocks: readonly ContentBlock[]): string =>
  blocks.length === 1 ? `1 ${blocks[0]?.type === 'image' ? 'image' : 'block'}` : `${formatCount(blocks.length)} blocks`;

const encoder = new TextEncoder();

/** A text in lines, wrapped. Colours are shown as colours unless their codes are asked for. */
export function TextLines({ text, showsCodes = false }: { readonly text: string; readonly showsCodes?: boolean }) {
  const painter = useMemo(() => {
    const shown = showsCodes ? text.replaceAll('\x1b', '␛') : text;
    return new PagePainter({ bytes: encoder.encode(shown), offset: 0 }, undefined);
  }, [text, showsCodes]);
  return (
    <LineList
      name="Text"
      wraps
      count={painter.lines.length}
      line={(at) => {
        const line = painter.line(at);
        if (line === undefined) return null;
        const isTag = /^<\/?persisted-output>$/.test(plainText(line.pieces.map((piece) => piece.text).join('')));
        return (
          <span className={isTag ? styles.tag : undefined}>
            <LineView line={line} showsOffset={false} />
          </span>
        );
      }}
    />
  );
}

function Block({ block }: { readonly block: ContentBlock }) {
  if (block.type === 'image') {
    return (
      <img className={styles.image} src={`data:${block.mediaType};base64,${block.data}`} alt="Result of the call" />
    );
  }
  return <pre className={styles.raw}>{JSON.stringify(block.type === 'other' ? block.raw : block, undefined, 2)}</pre>;
}
