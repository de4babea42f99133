import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { BaseUrl } from '../../src-shared/model/choice.ts';
import { PermissionMode } from '../../src-shared/permission/event.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import { CascadePolicy, Strategy } from '../../src-shared/session/settings.ts';
import type { NetworkChoice } from '../adapters/providers/network-provider.ts';
import { gallery, scenarioByName } from '../adapters/scenarios/gallery.ts';
import { loadScenario } from '../adapters/scenarios/load-scenario.ts';
import { UsageError } from './io.ts';

export const RUN_USAGE = `gantry run SCENARIO --cwd DIR [--journal OUT] [--json]
    [--strategy streaming|batch|serial] [--cascade any-error|except-writes|bash|bash-mutating|none] [--cap N]
    [--mode default|acceptEdits|plan|auto|dontAsk|bypassPermissions] [--answer allow|deny] [--trust]
  gantry run --provider anthropic|openai-compatible --model M --prompt TEXT [--base-url URL] --cwd DIR …
  --trust runs the hooks and MCP servers that come with DIR or the scenario, this once.
  SCENARIO is a YAML or JSON file, or the name of one of the gallery: ${gallery.map(({ name }) => name).join(', ')}.
  A provider's key comes from the environment: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, OPENAI_API_KEY.`;

const Options = z.object({
  cwd: z.string(),
  journal: z.string().optional(),
  json: z.boolean().default(false),
  strategy: Strategy.optional(),
  cascade: CascadePolicy.optional(),
  cap: z.coerce.number().int().positive().optional(),
  mode: PermissionMode.optional(),
  answer: z.enum(['allow', 'deny']).optional(),
  trust: z.boolean().default(false),
});
export type RunOptions = z.output<typeof Options>;

const ModelWords = z.object({
  provider: z.enum(['anthropic', 'openai-compatible']),
  model: z.string().min(1).max(200),
  prompt: z.string().min(1),
  'base-url': BaseUrl.optional(),
});

/** What answers: a scenario, or a model that is given a prompt. */
export type RunSource =
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | { readonly kind: 'model'; readonly model: NetworkChoice; readonly prompt: string };

/** @throws UsageError with what was wrong and how it is said right. */
export async function readRunWords(
  args: readonly string[],
): Promise<{ readonly source: RunSource; readonly options: RunOptions }> {
  const { values, positionals } = split(args);
  const options = check(Options, values);
  const names = Object.keys(ModelWords.shape).filter((name) => name in values);
  if (names.length === 0) return { source: { kind: 'scenario', scenario: await scenarioOf(positionals) }, options };
  if (positionals.length > 0) {
    throw new UsageError(`Give a scenario or a model, not both: ${positionals[0]} and --${names[0]}.\n${RUN_USAGE}`);
  }
  const { provider, model, prompt, 'base-url': baseUrl } = check(ModelWords, values);
  const choice: NetworkChoice = { provider, model, ...(baseUrl === undefined ? {} : { baseUrl }) };
  return { source: { kind: 'model', model: choice, prompt }, options };
}

async function scenarioOf(positionals: readonly string[]): Promise<Scenario> {
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError(`Give one scenario, or a model.\n${RUN_USAGE}`);
  const known = existsSync(name) ? undefined : scenarioByName(name);
  return known ?? (await loadScenario(resolve(name)));
}

function check<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(`--${issue?.path.join('.')} does not fit: ${issue?.message}\n${RUN_USAGE}`);
}

function split(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cwd: text,
        journal: text,
        strategy: text,
        cascade: text,
        cap: text,
        mode: text,
        answer: text,
        json: flag,
        trust: flag,
        provider: text,
        model: text,
        prompt: text,
        'base-url': text,
      },
    });
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : String(cause)}\n${RUN_USAGE}`, { cause });
  }
}
