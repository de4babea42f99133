import { memo, useState } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { request } from '../bridge.ts';
import { announce } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './Markdown.module.css';

/** Beyond this many characters a text is shown as it is: laying it out as Markdown would block the window. */
const MARKDOWN_LIMIT = 50_000;

const openLink = (url: string): void => {
  request('link.open', { url }).then(
    ({ opened }) => {
      if (!opened) announce('The link was not opened. Only web links are.');
    },
    (error: unknown) => announce((error as Error).message),
  );
};

const components: Components = {
  a: ({ href, children }) => (
    <a
      href={href}
      title={href}
      onClick={(event) => {
        event.preventDefault();
        if (href !== undefined) openLink(href);
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  ),
  // Pictures would be fetched from anywhere: their description and a link stand for them.
  img: ({ src, alt }) => <span className={styles.picture}>{alt === undefined || alt === '' ? String(src) : alt}</span>,
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
};

/** A text of the model or of a person as Markdown. Links go through main, which opens web addresses only. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  if (text.length > MARKDOWN_LIMIT) return <LongText text={text} />;
  return (
    <div className={styles.markdown}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** A text as it is, cut where it is very long until it is asked for. */
export function LongText({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > MARKDOWN_LIMIT;
  return (
    <div>
      <div className={styles.plain}>{isCut ? text.slice(0, MARKDOWN_LIMIT) : text}</div>
      {isCut ? (
        <Button look="plain" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters
        </Button>
      ) : null}
    </div>
  );
}
