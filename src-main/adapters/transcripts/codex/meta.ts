import { fieldsOf, textAt } from '../common/fields.ts';
import type { Rollout } from './record.ts';

/** What a file says of itself. A resumed session says it again; the first time counts. */
export type RolloutMeta = {
  readonly id: string | undefined;
  readonly cwd: string | undefined;
  readonly version: string | undefined;
  readonly at: number | undefined;
  /** The thread that started this one. */
  readonly parent: string | undefined;
  readonly path: string | undefined;
  readonly nickname: string | undefined;
  readonly role: string | undefined;
};

export function metaOf(records: readonly Rollout[]): RolloutMeta {
  const record = records.find(({ kind }) => kind === 'session_meta');
  const meta = record?.payload;
  const source = fieldsOf(fieldsOf(meta?.source)?.subagent);
  const spawn = fieldsOf(source?.thread_spawn);
  const kind = textAt(fieldsOf(meta?.source), 'subagent');
  const context = records.find(({ payload }) => textAt(payload, 'cwd') !== undefined)?.payload;
  return {
    id: textAt(meta, 'id') ?? textAt(meta, 'session_id'),
    cwd: textAt(meta, 'cwd') ?? textAt(context, 'cwd'),
    version: textAt(meta, 'cli_version'),
    at: record?.at,
    parent: textAt(spawn, 'parent_thread_id') ?? textAt(meta, 'parent_thread_id'),
    path: textAt(spawn, 'agent_path') ?? textAt(meta, 'agent_path'),
    nickname: textAt(spawn, 'agent_nickname') ?? textAt(meta, 'agent_nickname'),
    role: textAt(spawn, 'agent_role') ?? textAt(meta, 'agent_role') ?? kind,
  };
}
