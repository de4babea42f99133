import { CircleCheck, CircleDashed, CircleX, type LucideIcon, Plug, RotateCw } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { SessionId } from '../../src-shared/ids.ts';
import type { McpServer } from '../../src-shared/mcp/state.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { request } from '../bridge.ts';
import { useReader } from '../state/access-store.ts';
import { isReadOnly } from '../state/activity.ts';
import { counted } from '../state/format.ts';
import { mcpCount } from '../state/mcp.ts';
import { failureWords } from '../state/problem.ts';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import { PopoverPanel } from '../widgets/PopoverPanel.tsx';
import styles from './McpButton.module.css';

/** `MCP 2/3` in the status bar, while the session has servers; opens what became of each of them. */
export function McpButton({ state, sessionId }: { readonly state: SessionState; readonly sessionId: SessionId }) {
  const [problem, setProblem] = useState<string>();
  const why = useReader(sessionId)?.why;
  const count = mcpCount(state);
  if (count === undefined) return null;
  const { servers, connected, failed } = count;
  const reconnect = (server: string): void => {
    setProblem(undefined);
    request('mcp.reconnect', { sessionId, server }).catch((error: unknown) => setProblem(failureWords(error).message));
  };
  return (
    <Popover.Root onOpenChange={() => setProblem(undefined)}>
      <Popover.Trigger
        className={classes(styles.trigger, failed && styles.troubled)}
        aria-label={`MCP servers, ${connected} of ${servers.length} connected`}
      >
        <Plug aria-hidden="true" size={14} strokeWidth={1.75} />
        MCP {connected}/{servers.length}
      </Popover.Trigger>
      <PopoverPanel className={styles.content} side="top" align="end">
        <h2 className={styles.title}>MCP servers</h2>
        {problem === undefined ? null : <p role="alert">{problem}</p>}
        <ul className={styles.list}>
          {servers.map((server) => (
            <Server
              key={server.name}
              server={server}
              why={why}
              onReconnect={isReadOnly(state) ? undefined : () => reconnect(server.name)}
            />
          ))}
        </ul>
      </PopoverPanel>
    </Popover.Root>
  );
}

const SIGNS: Readonly<Record<McpServer['status'], { readonly icon: LucideIcon; readonly words: string }>> = {
  connecting: { icon: CircleDashed, words: 'connecting' },
  connected: { icon: CircleCheck, words: 'connected' },
  failed: { icon: CircleX, words: 'not connected' },
  closed: { icon: CircleX, words: 'closed' },
};

function Server({
  server,
  why,
  onReconnect,
}: {
  readonly server: McpServer;
  /** Why this window may not; undefined where it may. */
  readonly why: string | undefined;
  readonly onReconnect: (() => void) | undefined;
}) {
  const { name, scope, status, tools, message } = server;
  const { icon: Icon, words } = SIGNS[status];
  const facts = [
    words,
    ...(status === 'connected' && tools !== undefined ? [counted(tools, 'tool')] : []),
    ...(scope === 'project' ? ['from the folder'] : []),
  ];
  return (
    <li className={styles.server} data-status={status}>
      <Icon aria-hidden="true" size={15} strokeWidth={1.75} className={styles[status]} />
      <span className={styles.about}>
        <span className={styles.name}>{name}</span>
        <span className={styles.facts}>{facts.join(' · ')}</span>
        {message === undefined ? null : <span className={styles.message}>{message}</span>}
      </span>
      {onReconnect === undefined ? null : (
        <Button
          icon={RotateCw}
          look="quiet"
          disabled={why !== undefined}
          title={why}
          onClick={onReconnect}
          aria-label={`Reconnect ${name}`}
        >
          Reconnect
        </Button>
      )}
    </li>
  );
}
