/*
 * Which files of the vault are one session, told by where programs put them (docs/formats.md). A path here is the vault's:
 * `claude-code/projects/-work-shop/<id>.jsonl`.
 */

type Shape = {
  /** The file that stands for a session, below the source's folder; its group is the session's id. */
  readonly main: RegExp;
  /** What belongs to one, with the id in a group. */
  readonly parts: readonly RegExp[];
};

/** All of a session lies in a folder of its id. */
const IN_FOLDER = [/^([^/]+)\//];
const SHAPES: Readonly<Record<string, Shape>> = {
  'claude-code': { main: /^[^/]+\/(?!agent-)([^/]+)\.jsonl$/, parts: [/^[^/]+\/([^/]+)\//] },
  codex: { main: /([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/, parts: [] },
  'copilot-cli': { main: /^([^/]+?)(?:\/events)?\.jsonl$/, parts: IN_FOLDER },
  'gemini-cli': {
    main: /\/chats\/session-[^/]*?([0-9a-f]{8})\.jsonl?$/,
    parts: [/\/chats\/([0-9a-f]{8})[^/]*\//],
  },
  opencode: { main: /^session\/[^/]+\/([^/]+)\.json$/, parts: [/^message\/([^/]+)\//] },
  cline: { main: /^([^/]+)(?:\/(?:api_conversation_history|(?!ui_)[^/]*messages))?\.json$/, parts: IN_FOLDER },
  pi: { main: /_([^/_]+)\.jsonl$/, parts: [] },
  gantry: { main: /^([^/]+)\/journal\.jsonl$/, parts: IN_FOLDER },
};
const OTHERS: Shape = {
  main: /^(?!(?:.*\/)?(?:subagents|tool-results)\/)(?:.*\/)?(?!agent-)([^/]+)\.jsonl?$/,
  parts: [/(?:^|\/)([^/]+)\/(?:subagents|tool-results)\//],
};

function parted(path: string): { readonly program: string; readonly source: string; readonly below: string } {
  const [program = '', folder = '', ...rest] = path.split('/');
  return { program, source: `${program}/${folder}`, below: rest.join('/') };
}

const shapeOf = (program: string): Shape => SHAPES[program] ?? OTHERS;

/** The id of the session whose own file this is; undefined for everything else. */
export function sessionIn(path: string): string | undefined {
  const { program, below } = parted(path);
  return shapeOf(program).main.exec(below)?.[1];
}

/** The id of the session that a file belongs to, as far as its place tells. */
function sessionOf(path: string): string | undefined {
  const { program, below } = parted(path);
  const { main, parts } = shapeOf(program);
  for (const pattern of [main, ...parts]) {
    const id = pattern.exec(below)?.[1];
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Files of a session: its own, its sub-agents', its results. `id` may be the beginning of an id. */
export function filesOfSession(paths: readonly string[], id: string): readonly string[] {
  const named = paths.filter((path) => sessionOf(path)?.startsWith(id) === true);
  return [...named, ...besides(paths, named)];
}

/** The files of the session whose own file this is. */
export function filesWith(paths: readonly string[], main: string): readonly string[] {
  const id = sessionIn(main);
  if (id === undefined) return paths.filter((path) => path === main);
  const { source } = parted(main);
  const near = paths.filter((path) => path.startsWith(`${source}/`));
  const named = near.filter((path) => sessionOf(path) === id);
  return [...named, ...besides(near, named)];
}

/** What belongs to files without having the session's id in its path. */
function besides(paths: readonly string[], named: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of named) {
    const { program, source, below } = parted(path);
    const message = /^message\/[^/]+\/([^/]+)\.json$/.exec(below)?.[1];
    // OpenCode keeps what a message is made of below the message's own id.
    if (program === 'opencode' && message !== undefined) folders.add(`${source}/part/${message}`);
    // Claude Code 2.0 laid the files of sub-agents beside all sessions of a project.
    if (program === 'claude-code' && sessionIn(path) !== undefined) folders.add(path.slice(0, path.lastIndexOf('/')));
  }
  const has = new Set(named);
  return paths.filter((path) => {
    const at = path.lastIndexOf('/');
    const isPart = !path.startsWith('claude-code/') || path.slice(at + 1).startsWith('agent-');
    return !has.has(path) && isPart && folders.has(path.slice(0, at));
  });
}
