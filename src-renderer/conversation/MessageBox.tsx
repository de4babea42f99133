import { Paperclip, Pencil, Send, SendHorizontal, Trash2 } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import type { SessionId } from '../../src-shared/ids.ts';
import { IMAGE_TYPES, type MessageImage, MOST_IMAGES } from '../../src-shared/model/image.ts';
import type { QueuedMessage } from '../../src-shared/session/state.ts';
import { request } from '../bridge.ts';
import { counted } from '../state/format.ts';
import { announce } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { compactWish } from './compact-wish.ts';
import { addDraftImages, draftImageStore, draftImagesOf, setDraftImages } from './draft-images.ts';
import { draftStore, setDraft } from './drafts.ts';
import { failureText } from './failure-text.ts';
import styles from './MessageBox.module.css';
import { Pictures } from './Pictures.tsx';

export type MessageBoxProps = {
  readonly sessionId: SessionId;
  readonly isTurnRunning: boolean;
  readonly queued: readonly QueuedMessage[];
};

/**
 * Where a message is written. Enter sends, Shift+Enter makes a new line. While a turn runs the message waits in a
 * queue, where it can be changed, removed or sent at once.
 */
export function MessageBox({ sessionId, isTurnRunning, queued }: MessageBoxProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  useHeightVariable(dock);
  const message = useMessage(sessionId, () => field.current?.focus());
  const { text, images, problem, isSending, send, remove, edit, sendNow, attach } = message;
  const hintId = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) void send();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void attach(files);
  };
  return (
    <div ref={dock} className={styles.dock}>
      <QueuedMessages queued={queued} onRemove={remove} onEdit={edit} onSendNow={sendNow} />
      {problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <Pictures
        images={images}
        onRemove={(at) =>
          setDraftImages(
            sessionId,
            images.filter((_, other) => other !== at),
          )
        }
      />
      <div className={styles.box}>
        <textarea
          ref={field}
          data-composer
          className={styles.field}
          aria-label="Message"
          aria-describedby={isTurnRunning ? hintId : undefined}
          placeholder="Write a message."
          rows={1}
          value={text}
          onChange={(event) => setDraft(sessionId, event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {isTurnRunning ? (
          <p id={hintId} className={styles.hint}>
            It is sent after the running calls.
          </p>
        ) : null}
        <AttachButton onFiles={(files) => void attach(files)} />
        <Button icon={SendHorizontal} disabled={text.trim() === '' || isSending} onClick={() => void send()}>
          {isTurnRunning ? 'Queue' : 'Send'}
        </Button>
      </div>
    </div>
  );
}

/** Opens the system's dialog for files. */
function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES.join(',')}
        aria-label="Pictures to add"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // So that the same file can be chosen again.
          event.target.value = '';
        }}
      />
      <IconButton icon={Paperclip} name="Add pictures" side="top" onClick={() => input.current?.click()} />
    </>
  );
}

type Message = {
  readonly text: string;
  readonly images: readonly MessageImage[];
  /** Why the last thing asked for did not happen. */
  readonly problem: string | undefined;
  readonly isSending: boolean;
  readonly send: () => Promise<void>;
  readonly remove: (message: QueuedMessage) => Promise<void>;
  readonly edit: (message: QueuedMessage) => Promise<void>;
  readonly sendNow: () => Promise<void>;
  readonly attach: (files: readonly File[]) => Promise<void>;
};

/** The message that is written, and what can be done with it and with those that wait. */
function useMessage(sessionId: SessionId, focusField: () => void): Message {
  const text = useStore(draftStore, (drafts) => drafts[sessionId] ?? '');
  const images = useStore(draftImageStore, () => draftImagesOf(sessionId));
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      setProblem(undefined);
    } catch (error) {
      setProblem(failureText(error));
    }
  };
  const unqueue = async ({ messageId }: QueuedMessage, why: 'removed' | 'edited'): Promise<boolean> => {
    const { taken } = await request('session.unqueue', { sessionId, messageId, why });
    if (!taken) announce('The message was sent meanwhile.');
    return taken;
  };

  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    await attempt(async () => {
      const wish = images.length === 0 ? compactWish(text) : undefined;
      const said = await (wish === undefined ? sendMessage(sessionId, text, images) : compact(sessionId, wish));
      setDraft(sessionId, '');
      setDraftImages(sessionId, []);
      announce(said);
    });
    setSending(false);
    focusField();
  };
  const edit = (message: QueuedMessage): Promise<void> =>
    attempt(async () => {
      // One that was sent meanwhile must not be sent again.
      if (!(await unqueue(message, 'edited'))) return;
      // What was being written is not thrown away for it.
      setDraft(sessionId, text.trim() === '' ? message.text : `${message.text}\n\n${text}`);
      setDraftImages(sessionId, [...message.images, ...images].slice(0, MOST_IMAGES));
      focusField();
    });
  const remove = (message: QueuedMessage): Promise<void> =>
    attempt(async () => void (await unqueue(message, 'removed')));
  const sendNow = (): Promise<void> =>
    attempt(async () => void (await request('session.interrupt', { sessionId, reason: 'interrupt' })));
  const attach = async (files: readonly File[]): Promise<void> => {
    setProblem(await addDraftImages(sessionId, files));
    focusField();
  };
  return { text, images, problem, isSending, send, remove, edit, sendNow, attach };
}

/** Says what became of it. */
async function sendMessage(sessionId: SessionId, text: string, images: readonly MessageImage[]): Promise<string> {
  const pictures = images.length === 0 ? {} : { images: [...images] };
  const { queued: waits } = await request('session.send', { sessionId, text, ...pictures });
  return waits ? 'The message is queued.' : 'The message is sent.';
}

async function compact(sessionId: SessionId, instructions: string): Promise<string> {
  const { waits } = await request('session.compact', { sessionId, instructions });
  return waits ? 'The conversation is compacted before the next request.' : 'The conversation is being compacted.';
}

/**
 * Tells the stylesheets how high the box is: the permission board keeps clear of it, so that a question can be answered
 * with a message too.
 */
function useHeightVariable(dock: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = dock.current;
    if (element === null) return;
    const root = document.documentElement.style;
    const measure = (): void => root.setProperty('--message-box-height', `${element.offsetHeight}px`);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty('--message-box-height');
    };
  }, [dock]);
}

type QueuedProps = {
  readonly queued: readonly QueuedMessage[];
  readonly onRemove: (message: QueuedMessage) => void;
  readonly onEdit: (message: QueuedMessage) => void;
  readonly onSendNow: () => void;
};

/** The messages that wait, oldest first. Only the first one can be sent at once: they keep their order. */
function QueuedMessages({ queued, onRemove, onEdit, onSendNow }: QueuedProps) {
  if (queued.length === 0) return null;
  return (
    <ul className={styles.queue} aria-label="Queued messages">
      {queued.map((message, at) => (
        <li key={message.messageId} className={styles.queued}>
          <span className={styles.queuedLabel}>Queued</span>
          <span className={styles.queuedText} title={message.text}>
            {message.text}
          </span>
          {message.images.length === 0 ? null : (
            <span className={styles.queuedLabel}>{counted(message.images.length, 'picture')}</span>
          )}
          {at === 0 ? (
            <Button look="quiet" icon={Send} onClick={onSendNow}>
              Send now
            </Button>
          ) : null}
          <IconButton icon={Pencil} name="Edit the queued message" onClick={() => onEdit(message)} side="top" />
          <IconButton icon={Trash2} name="Remove the queued message" onClick={() => onRemove(message)} side="top" />
        </li>
      ))}
    </ul>
  );
}
