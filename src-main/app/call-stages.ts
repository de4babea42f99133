import { assertNever } from '../../src-shared/assert-never.ts';
import type { CallId } from '../../src-shared/ids.ts';
import { withCost } from '../../src-shared/model/prices.ts';
import type { EventFacts } from '../../src-shared/session/event.ts';
import { textResult } from '../../src-shared/tool-call/content.ts';
import { millis } from '../../src-shared/units.ts';
import { howToLoad } from '../core/mcp/tool-search.ts';
import { cutText, toolError } from '../core/results/texts.ts';
import { schemaErrorText } from '../core/schema-errors.ts';
import { type AnyTool, CallAborted, type ToolEnding } from '../ports/tool.ts';
import { CallClassifier } from './call-classifier.ts';
import { type CallRun, type Ending, isEnd, type Step, stage, stageUnlessStopped } from './call-run.ts';
import { pauseBefore, slowPermission, troubleOnPurpose } from './debug-stages.ts';
import { hooksAfter, hooksBefore, replaceOutput, type ToolUse } from './hook-stages.ts';
import { permit } from './permission-stage.ts';
import { progressGate } from './progress-gate.ts';
import { saveResult } from './save-stage.ts';
import { noteStaleReads } from './stale-reads.ts';
import { addedFields, checkedEnding, isKeepable, keepableResult, NotKeepable } from './tool-facts.ts';

const GRACE_MS = 2_000;
/** Of an error's words the model gets no more than this. */
const MOST_ERROR_CHARACTERS = 10_000;

/**
 * The life of one call, stage by stage (spec 2). Any stage can end the call; then the later ones do not run. Never
 * throws: a bug in a tool becomes one honest error result. A call that does not come to its end within its grace after
 * it was told to stop is given up, whatever stage it is in.
 */
export async function runCall(run: Omit<CallRun, 'record' | 'reminders' | 'classified'>): Promise<Ending> {
  let over = false;
  const record = (facts: EventFacts): void => {
    if (!over) run.log.append(facts);
  };
  const grace = giveUpAfterAbort(run, run.job.tool?.stopGraceMs ?? GRACE_MS);
  const classified = new CallClassifier({ ...run, record });
  const ending = await Promise.race([stages({ ...run, record, classified, reminders: [] }), grace.promise]);
  grace.dispose();
  over = true;
  if (ending !== 'given-up') return ending;
  run.log.append({
    type: 'notice-given',
    level: 'warning',
    text: `${run.job.toolName} did not stop when it was told to and was given up. It may still be working.`,
    detail: run.job.summary,
  });
  return run.cancelled('given-up');
}

async function stages(run: CallRun): Promise<Ending> {
  const reached: Reached = { use: undefined };
  let ending: Ending;
  try {
    ending = await upToSave(run, reached);
  } catch (error) {
    ending = isStop(run, error) ? run.cancelled() : crashed(error);
  }
  run.classified.stop();
  return hooksAfter(run, { ending, use: reached.use });
}

/** What a call came to before it ended, for the hooks after it. */
type Reached = { use: ToolUse | undefined };

async function upToSave(run: CallRun, reached: Reached): Promise<Ending> {
  const found = await stageUnlessStopped(run, 'look-up', () => lookUp(run));
  if (isEnd(found)) return found.end;
  const tool = found.go;
  const parsed = await stageUnlessStopped(run, 'schema', () => parseInput(run, tool, run.job.input));
  if (isEnd(parsed)) return parsed.end;
  reached.use = { tool, input: run.job.input, ranMs: undefined, heard: false };
  const valid = await stageUnlessStopped(run, 'validate', () => validate(run, tool, parsed.go));
  if (isEnd(valid)) return valid.end;
  const unpaused = await pauseBefore(run, tool, valid.go, revalidate);
  if (isEnd(unpaused)) return unpaused.end;
  const hooked = await stageUnlessStopped(run, 'hooks-before', () => hooksBefore(run, tool, unpaused.go, revalidate));
  if (isEnd(hooked)) return hooked.end;
  const permitted = await stageUnlessStopped(run, 'permission', async () => {
    await slowPermission(run, hooked.go.input);
    return permit(run, tool, hooked.go, revalidate);
  });
  if (isEnd(permitted)) return permitted.end;
  const input = permitted.go;
  const ran = await runTool(run, { ...reached.use, input }, reached);
  if (isEnd(ran)) return ran.end;
  // What has run has happened: from here on the real result counts, also when the call is told to stop now.
  const mapped = await stage(run, 'map', () => mapResult(tool, ran.go));
  if (isEnd(mapped)) return mapped.end;
  const saved = await stage(run, 'save', () => saveResult(run, tool, ran.go, mapped.go));
  if (isEnd(saved)) return saved.end;
  return await noteStaleReads(run, { tool, input, ran: ran.go }, endingOf(ran.go, saved.go));
}

/** Stage 6, and for MCP tools stage 9 behind it. */
async function runTool(run: CallRun, use: ToolUse, reached: Reached): Promise<Step<ToolEnding<unknown>>> {
  const { tool, input } = use;
  reached.use = use;
  const from = run.clock.monotonic();
  const ran = await stageUnlessStopped(run, 'run', () => execute(run, tool, input));
  const after = { ...use, ranMs: run.clock.monotonic() - from };
  reached.use = after;
  if (isEnd(ran) || ran.go.isError || !isMcp(tool)) return ran;
  reached.use = { ...after, heard: true };
  return { go: { ...ran.go, output: await replaceOutput(run, after, ran.go.output) } };
}

const isMcp = ({ name }: AnyTool): boolean => name.startsWith('mcp__');

const lookUp = ({ job }: CallRun): Step<AnyTool> =>
  job.tool !== undefined
    ? { go: job.tool }
    : { end: failure(toolError(`Error: No such tool available: ${job.toolName}`)) };

function parseInput(run: CallRun, tool: AnyTool, input: unknown, schema = tool.inputSchema): Step<unknown> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { go: parsed.data };
  const text = schemaErrorText(tool.name, input, parsed.error.issues);
  const isGuessed = tool.isDeferred && !run.context.discovered.has(tool.name);
  return { end: failure(toolError(isGuessed ? `${text}\n\n${howToLoad(tool.name)}` : text)) };
}

async function validate(run: CallRun, tool: AnyTool, input: unknown): Promise<Step<unknown>> {
  const validation = await tool.validateInput(input, run.context, run.host);
  return validation.ok ? { go: input } : { end: failure(textResult(validation.message, true)) };
}

/** A changed input goes through the schema and the semantic checks again before it may run. */
async function revalidate(run: CallRun, tool: AnyTool, input: unknown): Promise<Step<unknown>> {
  const parsed = parseInput(run, tool, input, tool.changedSchema);
  return isEnd(parsed) ? parsed : validate(run, tool, parsed.go);
}

/** Runs the tool, once all that led to it is written. */
async function execute(run: CallRun, tool: AnyTool, input: unknown): Promise<Step<ToolEnding<unknown>>> {
  run.log.flush();
  if (run.log.failed) await run.log.whenWritten(run.signal);
  const trouble = await troubleOnPurpose(run, input);
  if (trouble !== undefined) return { end: trouble };
  if (run.signal.aborted) return { end: run.cancelled() };
  try {
    return { go: await callTool(run, tool, input) };
  } catch (error) {
    if (!isStop(run, error)) return { end: crashed(error) };
    if (error instanceof CallAborted && error.file !== undefined) await keepOutput(run, error.file);
    return { end: run.cancelled() };
  }
}

/** What a call had written when it was stopped is kept (spec 2.8). */
async function keepOutput(run: CallRun, file: { readonly path: string; readonly bytes: number }): Promise<void> {
  if (file.bytes > 0) {
    try {
      await run.files.keep(file.path);
      return run.record({ type: 'result-saved', callId: run.job.callId, ...file, found: true });
    } catch (error) {
      const detail = messageOf(error);
      const text = `What ${run.job.toolName} had written could not be kept.`;
      run.record({ type: 'notice-given', level: 'warning', text, detail });
    }
  }
  await run.files.remove(file.path).catch(() => undefined);
}

async function callTool(run: CallRun, tool: AnyTool, input: unknown): Promise<ToolEnding<unknown>> {
  const { callId, agentId, toolName } = run.job;
  const progress = progressGate(run);
  let outputFile: string | undefined;
  let settled = false;
  try {
    const ending = checkedEnding(
      await tool.call(input, run.context, {
        host: run.host,
        callId,
        agentId,
        signal: run.signal,
        // Asked for by few tools; its folder is looked at when it is, and only once.
        get outputFile() {
          outputFile ??= run.files.pathFor(callId);
          return outputFile;
        },
        onProgress: (news) => {
          const facts = { type: 'call-progressed', callId, ...news } as const;
          if (!settled && progress() && isKeepable(facts)) run.record(facts);
        },
        onProcess: (news) => appendProcess(run, news),
        onSpent: ({ model, usage }) => {
          const facts = { type: 'call-spent', callId, model, usage: withCost(usage, model) } as const;
          if (isKeepable(facts)) run.record(facts);
        },
      }),
    );
    recordObserved(run, tool, input, ending);
    return ending;
  } catch (error) {
    throw error instanceof NotKeepable ? new Error(`${toolName} gave a wrong result: ${error.message}.`) : error;
  } finally {
    settled = true;
  }
}

function recordObserved(run: CallRun, tool: AnyTool, input: unknown, ending: ToolEnding<unknown>): void {
  const { callId, toolName } = run.job;
  try {
    const fields = addedFields(run.job.input, tool.backfillObservableInput(input, ending.output));
    if (Object.keys(fields).length > 0) run.record({ type: 'call-observed', callId, fields });
  } catch (error) {
    // Only for the screen: the call has its result without them.
    const detail = error instanceof Error ? error.message : String(error);
    run.record({
      type: 'notice-given',
      level: 'warning',
      text: `${toolName} gave facts that cannot be shown.`,
      detail,
    });
  }
}

type ProcessNews = Parameters<Parameters<AnyTool['call']>[2]['onProcess']>[0];

/** News of processes is kept after the call's end as well: of a call that was given up it tells when they were gone. */
function appendProcess(run: CallRun, news: ProcessNews): void {
  const facts = processFacts(run.job.callId, news);
  if (isKeepable(facts)) run.log.append(facts);
}

function processFacts(callId: CallId, news: ProcessNews): EventFacts {
  switch (news.type) {
    case 'spawned': {
      const { type: _, ...facts } = news;
      return { type: 'process-spawned', callId, ...facts };
    }
    case 'ended': {
      const { type: _, ...facts } = news;
      return { type: 'process-ended', callId, ...facts };
    }
    case 'tree-ended':
      return { type: 'process-tree-ended', callId, survivors: [...news.survivors] };
    default:
      return assertNever(news, 'process news');
  }
}

function giveUpAfterAbort(
  run: Pick<CallRun, 'signal' | 'clock'>,
  graceMs: number,
): { readonly promise: Promise<'given-up'>; dispose(): void } {
  let timer: { dispose(): void } | undefined;
  let onAbort: (() => void) | undefined;
  const promise = new Promise<'given-up'>((resolve) => {
    onAbort = () => {
      timer = run.clock.schedule(millis(graceMs), () => resolve('given-up'));
    };
    if (run.signal.aborted) onAbort();
    else run.signal.addEventListener('abort', onAbort, { once: true });
  });
  return {
    promise,
    dispose() {
      timer?.dispose();
      if (onAbort !== undefined) run.signal.removeEventListener('abort', onAbort);
    },
  };
}

function mapResult(tool: AnyTool, ran: ToolEnding<unknown>): Step<Ending['result']> {
  try {
    return { go: keepableResult(tool.mapResult(ran.output)) };
  } catch (error) {
    if (!(error instanceof NotKeepable)) throw error;
    return { end: failure(toolError(`Error: The result of ${tool.name} cannot be shown: ${error.message}.`)) };
  }
}

function endingOf(ran: ToolEnding<unknown>, result: Ending['result']): Ending {
  return {
    outcome: ran.isError ? 'error' : 'ok',
    result: { ...result, isError: ran.isError },
    failed: ran.failed ?? ran.isError,
    ...(ran.exit === undefined ? {} : { exit: ran.exit }),
    ...(ran.modifier === undefined ? {} : { modifier: ran.modifier }),
    ...(ran.changes === undefined ? {} : { changes: ran.changes }),
  };
}

const failure = (result: Ending['result']): Ending => ({ outcome: 'error', result, failed: true });

/** The error by which a tool says that it has stopped as it was told. Any other one is a failure of its own. */
const isStop = (run: CallRun, error: unknown): boolean =>
  run.signal.aborted &&
  (error instanceof CallAborted ||
    error === run.signal.reason ||
    (error instanceof Error && error.name === 'AbortError'));

/** A tool that threw. The model and the person get the message; the stack stays out of both. */
function crashed(error: unknown): Ending {
  return failure(toolError(`Error: ${cutText(messageOf(error), MOST_ERROR_CHARACTERS, '…')}`));
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return String(error.message);
  try {
    return `a value that is no error: ${String(error)}`;
  } catch {
    return 'a value that is no error and has no words';
  }
}
