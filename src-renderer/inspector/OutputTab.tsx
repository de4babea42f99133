import { Copy, FileQuestion, FolderOpen, HardDrive } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Shell } from '../../src-shared/shell/state.ts';
import { formatBytes, formatCount } from '../../src-shared/timeline/words.ts';
import { resultText } from '../../src-shared/tool-call/content.ts';
import { type SavedOutput, sentResult, type ToolCall } from '../../src-shared/tool-call/state.ts';
import { request } from '../bridge.ts';
import { failureText } from '../conversation/failure-text.ts';
import { announce } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { EmptyState } from '../widgets/EmptyState.tsx';
import styles from './OutputTab.module.css';
import { COPY_LIMIT, wholeOutput } from './output/copy.ts';
import { FullOutput } from './output/FullOutput.tsx';
import { ModelSaw, TextLines } from './output/ModelSaw.tsx';
import { OutputReader } from './output/reader.ts';
import { withKeptTexts } from './output/whole-result.ts';

type Ended = Extract<ToolCall, { phase: 'completed' | 'yielded' }>;
export type OutputTabProps = {
  readonly sessionId: SessionId;
  readonly call: ToolCall;
  /** The command that the call has launched into the background. */
  readonly shell?: Shell | undefined;
};

/** What a call printed: what the model saw of it, and the whole of it where that lies on disk. */
export function OutputTab({ sessionId, call, shell }: OutputTabProps) {
  if (call.phase === 'queued') return <EmptyState title="The call has not started." />;
  if (call.phase === 'executing') return <RunningOutput call={call} />;
  return <EndedOutput key={call.callId} sessionId={sessionId} call={call} shell={shell} />;
}

function RunningOutput({ call }: { readonly call: ToolCall }) {
  const { progress } = call;
  if (progress === undefined) return <EmptyState title="The call runs. It has printed nothing yet." />;
  return (
    <div className={styles.tab}>
      <p className={styles.fact}>
        The call runs: {formatCount(progress.lines)} lines, {formatBytes(progress.bytes)} so far. This is the end of
        them.
      </p>
      <TextLines text={progress.tail} />
    </div>
  );
}

function EndedOutput({ sessionId, call, shell }: OutputTabProps & { readonly call: Ended }) {
  const saved = call.saved ?? shellOutput(shell);
  const { callId } = call;
  const isOnDisk = saved?.found === true;
  const reader = useMemo(() => new OutputReader({ sessionId, callId }), [sessionId, callId]);
  const [shown, setShown] = useState<'full' | 'model'>('full');
  const copy = async (): Promise<void> => {
    const whole = isOnDisk && saved.bytes <= COPY_LIMIT;
    const text = whole ? await wholeOutput({ sessionId, callId }) : await sentText(sessionId, call);
    await request('clipboard.write', { text });
    if (whole || !isOnDisk) announce('The output is copied.');
    else announce(`The output is too large to copy. What the model saw is copied.`);
  };
  const run = (work: Promise<unknown>): void => void work.catch((error: unknown) => announce(failureText(error)));
  return (
    <div className={styles.tab} data-shown={isOnDisk ? shown : 'model'}>
      <div className={styles.facts}>
        <Fact call={call} shell={shell} />
        <div className={styles.buttons}>
          <Button icon={Copy} onClick={() => run(copy())}>
            Copy
          </Button>
          {isOnDisk ? (
            <Button icon={FolderOpen} onClick={() => run(request('output.reveal', { sessionId, callId }))}>
              Open folder
            </Button>
          ) : null}
        </div>
      </div>
      {isOnDisk ? (
        <fieldset className={styles.switch} aria-label="Which output">
          <Button pressed={shown === 'full'} onClick={() => setShown('full')}>
            Full output
          </Button>
          <Button pressed={shown === 'model'} onClick={() => setShown('model')}>
            What the model saw
          </Button>
        </fieldset>
      ) : null}
      <div className={styles.cards}>
        <div className={styles.model}>
          <ModelSaw sessionId={sessionId} call={call} />
        </div>
        {isOnDisk ? (
          <div className={styles.full}>
            <FullOutput reader={reader} />
          </div>
        ) : null}
      </div>
    </div>
  );
}

const sentText = async (sessionId: SessionId, call: Ended): Promise<string> =>
  resultText(await withKeptTexts(sessionId, sentResult(call)));

/** What a background command writes lies in a file of its own. */
const shellOutput = (shell: Shell | undefined): SavedOutput | undefined =>
  shell?.path === undefined
    ? undefined
    : { path: shell.path, bytes: shell.end?.bytes ?? shell.progress?.bytes ?? 0, found: true, limit: undefined };

/** One sentence on where the output is, and why. */
function Fact({ call, shell }: { readonly call: Ended; readonly shell: Shell | undefined }) {
  const { saved } = call;
  if (saved === undefined && shell?.path !== undefined) {
    return <p className={styles.fact}>The command goes on as {shell.shellId}. The full output is what it writes.</p>;
  }
  if (saved === undefined) {
    if (call.sameAs !== undefined)
      return <p className={styles.fact}>The same as an earlier result, so the model got a reference to it.</p>;
    return <p className={styles.fact}>The model saw the whole result.</p>;
  }
  if (!saved.found) {
    return (
      <p className={styles.fact}>
        <FileQuestion aria-hidden="true" size={15} />
        <span>
          The file is not there. The model saw a preview of {formatBytes(saved.bytes)}.{' '}
          <span className={styles.path}>{saved.path}</span>
        </span>
      </p>
    );
  }
  return (
    <p className={styles.fact}>
      <HardDrive aria-hidden="true" size={15} />
      <span>{savedWords(call, saved)}</span>
    </p>
  );
}

/** `1.2 MB is over the limit of 30,000 characters, so the model saw a preview of 2 KB (0.2 %).` */
export function savedWords(call: Ended, saved: SavedOutput): string {
  const seen = new TextEncoder().encode(resultText(sentResult(call))).length;
  const share = saved.bytes === 0 ? '' : ` (${shareWords(seen / saved.bytes)})`;
  const why =
    saved.limit !== undefined
      ? `is over the limit of ${formatCount(saved.limit)} characters`
      : call.replaced?.why === 'budget'
        ? 'was too much beside the other results of its message'
        : 'was saved to disk';
  return `${formatBytes(saved.bytes)} ${why}, so the model saw a preview of ${formatBytes(seen)}${share}.`;
}

const shareWords = (share: number): string => {
  const percent = Math.min(100, share * 100);
  return percent < 0.1 ? 'under 0.1 %' : `${percent.toFixed(1)} %`;
};
