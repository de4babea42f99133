import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Counts what a Claude Code session's files hold, straight from the JSON and with no code of the app: every object of
 * every line is looked at, wherever it stands. Slow and simple on purpose; it is the other opinion that
 * `gantry inspect` is held against.
 */

/** @typedef {{id: string, tool: string, input: any, message: string, at: number, file: string}} Call */
/** @typedef {{id: string, text: string, isError: boolean, at: number}} Result */

/**
 * @param {string} main path of the session's file
 * @returns what the files say: counts, ids and times in ms from the first timestamp
 */
export function countTranscript(main) {
  const folder = main.replace(/\.jsonl$/, '');
  const nested = filesBelow(join(folder, 'subagents')).filter((file) => /agent-[^/]*\.jsonl$/.test(file));
  const agents = [...nested, ...flatAgents(main)];
  const lines = [main, ...agents].flatMap(readLines);
  const start = Math.min(...lines.map(({ at }) => at).filter((at) => !Number.isNaN(at)));

  /** @type {Map<string, Call>} */
  const calls = new Map();
  /** @type {Map<string, Result>} */
  const results = new Map();
  const assistants = new Set();
  let userMessages = 0;
  for (const { line, at, file } of lines) {
    const message = line.message?.id ?? line.uuid;
    if (line.type === 'assistant') assistants.add(`${file} ${message}`);
    const content = line.message?.content;
    const isAnswer = Array.isArray(content) && content.some((block) => block?.type === 'tool_result');
    if (line.type === 'user' && !isAnswer) userMessages++;
    // Some versions copied the lines of sub-agents into progress lines.
    for (const found of objectsIn(line.type === 'progress' ? line.data : content)) {
      if (found.type === 'tool_use' && found.id && !calls.has(found.id)) {
        calls.set(found.id, { id: found.id, tool: found.name, input: found.input, message, at: at - start, file });
      } else if (found.type === 'tool_result' && found.tool_use_id && !results.has(found.tool_use_id)) {
        const text = typeof found.content === 'string' ? found.content : JSON.stringify(found.content);
        results.set(found.tool_use_id, {
          id: found.tool_use_id,
          text,
          isError: found.is_error === true,
          at: at - start,
        });
      }
    }
  }
  const answered = [...results.values()].filter(({ id }) => calls.has(id));
  return {
    messages: assistants.size + userMessages,
    calls: [...calls.values()],
    results: answered,
    resultsWithoutCall: [...results.keys()].filter((id) => !calls.has(id)),
    callsWithoutResult: [...calls.keys()].filter((id) => !results.has(id)),
    errorResults: answered.filter(({ isError }) => isError).length,
    refusals: answered.filter(({ text }) => text.startsWith("The user doesn't want")).length,
    cancelled: answered.flatMap((result) => cancellation(result, calls, results)),
    persisted: answered.flatMap((result) => persisted(result, join(folder, 'tool-results'))),
    agents: agents.length,
    version: lines.map(({ line }) => line.version).find((version) => typeof version === 'string'),
  };
}

/** @param {string} file */
function readLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        const line = JSON.parse(text);
        return [{ line, at: Date.parse(line.timestamp), file }];
      } catch {
        return [];
      }
    });
}

/**
 * @param {unknown} value
 * @returns {Generator<any>}
 */
function* objectsIn(value) {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

/** Sub-agents of older versions lie beside the sessions of a project. @param {string} main */
function flatAgents(main) {
  if (basename(main).startsWith('agent-')) return [];
  const sessionOf = (/** @type {string} */ file) => readLines(file).find(({ line }) => line.sessionId)?.line.sessionId;
  return readdirSync(dirname(main))
    .filter((name) => /^agent-.*\.jsonl$/.test(name))
    .map((name) => join(dirname(main), name))
    .filter((file) => sessionOf(file) === sessionOf(main));
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/**
 * A result that says its call was cancelled for a sibling: which sibling that was, by tool and start of its input.
 * @param {Result} result @param {Map<string, Call>} calls @param {Map<string, Result>} results
 */
function cancellation(result, calls, results) {
  const found = /^<tool_use_error>(?:Cancelled: parallel tool call (\w+)(?:\((.*)\))? errored|Sibling)/s.exec(
    result.text,
  );
  if (found === null) return [];
  const [, tool, described] = found;
  const start = described?.replace(/…$/, '');
  const victim = calls.get(result.id);
  const culprit = [...calls.values()].find((call) => {
    const own = results.get(call.id);
    const failed = own?.isError && !own.text.startsWith('<tool_use_error>Cancelled');
    const fits = start === undefined || Object.values(call.input).some((value) => String(value).startsWith(start));
    return call.message === victim?.message && failed && (tool === undefined || call.tool === tool) && fits;
  });
  return [{ call: result.id, culprit: culprit?.id }];
}

/** @param {Result} result @param {string} folder */
function persisted(result, folder) {
  const path = /^<persisted-output>[\s\S]*?saved to: (.*)/.exec(result.text)?.[1];
  if (path === undefined) return [];
  const file = join(folder, basename(path));
  const found = existsSync(file);
  return [{ call: result.id, found, bytes: found ? statSync(file).size : undefined }];
}

/** The session files below a folder: those that lie in no `subagents` folder and are no streams. @param {string} folder */
export const sessionFiles = (folder) =>
  filesBelow(folder)
    .filter((file) => file.endsWith('.jsonl') && basename(file) !== 'stream.jsonl')
    .filter((file) => basename(dirname(file)) !== 'subagents');

/**
 * Where an inspection says something else than the files, in words; nothing when they agree.
 * @param {ReturnType<typeof countTranscript>} counted
 * @param {any} inspection what `gantry inspect --calls --json` printed
 * @returns {string[]}
 */
export function differences(counted, inspection) {
  /** @type {[string, unknown, unknown][]} */
  const pairs = [
    ['version', counted.version, inspection.version],
    ['messages', counted.messages, inspection.messages],
    ['calls', counted.calls.length, inspection.calls],
    ['results', counted.results.length, inspection.results],
    ['callsWithoutResult', sorted(counted.callsWithoutResult), sorted(inspection.callsWithoutResult)],
    ['cancelledBySibling', byCall(counted.cancelled), byCall(inspection.cancelledBySibling)],
    ['subagents', counted.agents, inspection.subagents],
    ['refused or interrupted', counted.refusals, inspection.rejected + inspection.interrupted],
    [
      'results marked as errors',
      counted.errorResults,
      inspection.errors +
        inspection.denied +
        inspection.rejected +
        inspection.interrupted +
        inspection.cancelledBySibling.length,
    ],
    [
      'persisted',
      byCall(counted.persisted),
      byCall(inspection.persisted.map((/** @type {any} */ { call, found, bytes }) => ({ call, found, bytes }))),
    ],
    ['list of calls', sorted(counted.calls.map(({ id }) => id)), sorted(ids(inspection))],
  ];
  return [
    ...pairs
      .filter(([, ours, theirs]) => JSON.stringify(ours) !== JSON.stringify(theirs))
      .map(([what, ours, theirs]) => `${what}: counted ${JSON.stringify(ours)}, inspected ${JSON.stringify(theirs)}`),
    ...timeDifferences(counted, inspection),
  ];
}

/** @param {ReturnType<typeof countTranscript>} counted @param {any} inspection */
function timeDifferences(counted, inspection) {
  const listed = new Map(inspection.callList.map((/** @type {any} */ call) => [call.id, call]));
  const ends = counted.results.filter(({ id, at }) => listed.get(id)?.endMs !== at);
  const early = counted.calls.filter(({ id, at }) => {
    const start = listed.get(id)?.startMs;
    return typeof start === 'number' && start < at;
  });
  return [
    ...ends.map(({ id, at }) => `end of ${id}: its line is at ${at}, inspected ${listed.get(id)?.endMs}`),
    ...early.map(({ id, at }) => `start of ${id}: before its block at ${at}`),
  ];
}

/** @param {string[]} values */
const sorted = (values) => [...values].sort();
/** @param {any} inspection */
const ids = (inspection) => inspection.callList.map((/** @type {any} */ { id }) => id);
/** @template {{call: string}} T @param {T[]} list */
const byCall = (list) => [...list].sort((a, b) => (a.call < b.call ? -1 : 1));
