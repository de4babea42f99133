import { textResult } from '../../src-shared/tool-call/content.ts';
import { millis } from '../../src-shared/units.ts';
import { toolError } from '../core/results/texts.ts';
import { schemaErrorText } from '../core/schema-errors.ts';
import { type AnyTool, CallAborted, type ToolEnding } from '../ports/tool.ts';
import { type CallRun, type Ending, isEnd, reasonOf, type Step, stage } from './call-run.ts';
import { permit } from './permission-stage.ts';
import { mapAndSave } from './save-stage.ts';

/**
 * The life of one call, stage by stage (spec 2). Any stage can end the call; then the later ones do not run. Never
 * throws: a bug in a tool becomes one honest error result.
 */
export async function runCall(run: CallRun): Promise<Ending> {
  try {
    const found = await stage(run, 'look-up', () => lookUp(run));
    if (isEnd(found)) return found.end;
    const tool = found.go;
    const parsed = await stage(run, 'schema', () => parseInput(run, tool, run.job.input));
    if (isEnd(parsed)) return parsed.end;
    const valid = await stage(run, 'validate', () => validate(run, tool, parsed.go));
    if (isEnd(valid)) return valid.end;
    const permitted = await stage(run, 'permission', () => permit(run, tool, parsed.go, revalidate));
    if (isEnd(permitted)) return permitted.end;
    const ran = await stage(run, 'run', () => execute(run, tool, permitted.go));
    if (isEnd(ran)) return ran.end;
    const saved = await stage(run, 'save', () => mapAndSave(run, tool, ran.go));
    return isEnd(saved) ? saved.end : endingOf(ran.go, saved.go);
  } catch (error) {
    if (run.signal.aborted) return run.cancelled(reasonOf(run.signal));
    return crashed(error);
  }
}

const lookUp = ({ job }: CallRun): Step<AnyTool> =>
  job.tool !== undefined
    ? { go: job.tool }
    : { end: failure(toolError(`Error: No such tool available: ${job.toolName}`)) };

function parseInput(_run: CallRun, tool: AnyTool, input: unknown): Step<unknown> {
  const parsed = tool.inputSchema.safeParse(input);
  if (parsed.success) return { go: parsed.data };
  return { end: failure(toolError(schemaErrorText(tool.name, input, parsed.error.issues))) };
}

async function validate(run: CallRun, tool: AnyTool, input: unknown): Promise<Step<unknown>> {
  const validation = await tool.validateInput(input, run.context);
  return validation.ok ? { go: input } : { end: failure(textResult(validation.message, true)) };
}

/** A changed input goes through the schema and the semantic checks again before it may run. */
async function revalidate(run: CallRun, tool: AnyTool, input: unknown): Promise<Step<unknown>> {
  const parsed = parseInput(run, tool, input);
  return isEnd(parsed) ? parsed : validate(run, tool, parsed.go);
}

/** Runs the tool. A call that does not stop within its grace after an abort is given up, and says so. */
async function execute(run: CallRun, tool: AnyTool, input: unknown): Promise<Step<ToolEnding<unknown>>> {
  const { job, log } = run;
  log.flush();
  const work = callTool(run, tool, input);
  const givenUp = giveUpAfterAbort(run, tool.stopGraceMs);
  try {
    const ending = await Promise.race([work, givenUp.promise]);
    if (ending === 'given-up') {
      work.catch(() => undefined);
      log.append({
        type: 'notice-given',
        level: 'warning',
        text: `${job.toolName} did not stop when it was told to. It may still be working.`,
      });
      return { end: run.cancelled(reasonOf(run.signal)) };
    }
    return { go: ending };
  } catch (error) {
    if (error instanceof CallAborted && run.signal.aborted) {
      if (error.file !== undefined && error.file.bytes > 0) {
        log.append({ type: 'result-saved', callId: job.callId, ...error.file, found: true });
      }
      return { end: run.cancelled(reasonOf(run.signal)) };
    }
    if (run.signal.aborted) return { end: run.cancelled(reasonOf(run.signal)) };
    return { end: crashed(error) };
  } finally {
    givenUp.dispose();
  }
}

async function callTool(run: CallRun, tool: AnyTool, input: unknown): Promise<ToolEnding<unknown>> {
  const { job, log } = run;
  const progress = progressGate(run);
  let settled = false;
  try {
    const ending: ToolEnding<unknown> = await tool.call(input, run.context, {
      callId: job.callId,
      agentId: job.agentId,
      signal: run.signal,
      outputFile: run.files.pathFor(job.callId),
      onProgress: (news) => {
        if (!settled && progress()) log.append({ type: 'call-progressed', callId: job.callId, ...news });
      },
      onProcess: (news) => appendProcess(run, news),
    });
    const observed = tool.backfillObservableInput(input, ending.output);
    if (Object.keys(observed).length > 0)
      log.append({ type: 'call-observed', callId: job.callId, fields: { ...observed } });
    return ending;
  } finally {
    settled = true;
  }
}

type ProcessNews = Parameters<Parameters<AnyTool['call']>[2]['onProcess']>[0];

function appendProcess(run: CallRun, news: ProcessNews): void {
  const { callId } = run.job;
  switch (news.type) {
    case 'spawned': {
      const { type: _, ...facts } = news;
      run.log.append({ type: 'process-spawned', callId, ...facts });
      return;
    }
    case 'ended': {
      const { type: _, ...facts } = news;
      run.log.append({ type: 'process-ended', callId, ...facts });
      return;
    }
    case 'tree-ended':
      run.log.append({ type: 'process-tree-ended', callId, survivors: [...news.survivors] });
  }
}

/**
 * Lets ten progress events a second through at first, one a second after three seconds of them and one every five
 * seconds later, so that an hour of output does not fill the journal.
 */
function progressGate(run: CallRun): () => boolean {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = run.clock.monotonic();
    const gap = count < 30 ? 100 : count < 90 ? 1_000 : 5_000;
    if (now - last < gap) return false;
    count++;
    last = now;
    return true;
  };
}

function giveUpAfterAbort(run: CallRun, graceMs: number): { readonly promise: Promise<'given-up'>; dispose(): void } {
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

function endingOf(ran: ToolEnding<unknown>, result: Ending['result']): Ending {
  return {
    outcome: ran.isError ? 'error' : 'ok',
    result: { ...result, isError: ran.isError },
    failed: ran.isError,
    ...(ran.exit === undefined ? {} : { exit: ran.exit }),
    ...(ran.modifier === undefined ? {} : { modifier: ran.modifier }),
    ...(ran.changes === undefined ? {} : { changes: ran.changes }),
  };
}

const failure = (result: Ending['result']): Ending => ({ outcome: 'error', result, failed: true });

/** A tool that threw. The model and the person get the message; the stack stays out of both. */
function crashed(error: unknown): Ending {
  const message = error instanceof Error ? error.message : `a value that is no error: ${String(error)}`;
  return failure(toolError(`Error: ${message}`));
}
