import { isAbsolute } from 'node:path';
import type { Node } from 'jsonc-parser';
import { z } from 'zod';
import { ModelChoice } from '../../../src-shared/model/choice.ts';
import { AgentConcurrency, CascadePolicy, SessionSettings, Strategy } from '../../../src-shared/session/settings.ts';
import { DEFER_CHOICES, type Defer } from '../mcp/choose.ts';
import { type McpServerDefinition, readServers } from '../mcp/definitions.ts';
import { parseRule } from '../permission/rules.ts';
import { OwnPatternEntry } from '../redact/own-patterns.ts';
import { type Property, parseJsonc, propertiesOf, toValue } from './jsonc.ts';
import { problemOf, Report, Text } from './report.ts';
import type {
  AdvisorChoice,
  GantrySettings,
  LibraryChoice,
  NotificationChoice,
  Placed,
  RedactChoice,
  SessionDefaults,
  TitleMaker,
  VaultChoice,
} from './settings.ts';
import { shownText } from './words.ts';

type Source = Pick<GantrySettings, 'scope' | 'file'>;
type Values = { -readonly [K in keyof SessionDefaults]: SessionDefaults[K] };
type ModelValues = {
  model: Partial<ModelChoice>;
  titles: TitleMaker | undefined;
  classifier: Partial<ModelChoice>;
  notifications: NotificationChoice | undefined;
  advisor: AdvisorChoice;
  allowPrivate: readonly string[];
  redact: RedactChoice;
  otherPrograms: boolean | undefined;
  library: LibraryChoice;
  vault: VaultChoice;
};

/** A folder wherever it is read from. */
const FolderPath = z
  .string()
  .trim()
  .refine(
    (path) => isAbsolute(path) || path === '~' || path.startsWith('~/'),
    'a whole path, or one from ~, is expected',
  );

const WholeNumber = z.number('a whole number over 0 is expected').int().positive();

/** What a key may hold, and where it goes. */
const SCALARS: ReadonlyMap<string, (value: unknown, into: Values) => z.ZodError | undefined> = new Map([
  scalar('strategy', Strategy, (value, into) => {
    into.strategy = value;
  }),
  scalar('cap', WholeNumber, (value, into) => {
    into.cap = value;
  }),
  scalar('cascade', CascadePolicy, (value, into) => {
    into.cascade = value;
  }),
  scalar('streaming.startUnsafe', SessionSettings.shape.startUnsafe, (value, into) => {
    into.startUnsafe = value;
  }),
  scalar('saveThreshold', WholeNumber, (value, into) => {
    into.saveThreshold = value;
  }),
  scalar('messageBudget', WholeNumber, (value, into) => {
    into.messageBudget = value;
  }),
  scalar('compact.at', z.number('a whole number from 0 to 100 is expected').int().min(0).max(100), (value, into) => {
    into.compactAt = value;
  }),
  scalar('agents.concurrency', AgentConcurrency, (value, into) => {
    into.agentConcurrency = value;
  }),
]);

/** What only a person's own file may set. */
const OWN_SCALARS: ReadonlyMap<string, (value: unknown, into: ModelValues) => z.ZodError | undefined> = new Map([
  ...(Object.keys(ModelChoice.shape) as (keyof ModelChoice)[]).map((key) =>
    ownScalar<unknown>(`model.${key}`, ModelChoice.shape[key], (value, into) => {
      into.model = { ...into.model, [key]: value };
    }),
  ),
  ...(Object.keys(ModelChoice.shape) as (keyof ModelChoice)[]).map((key) =>
    ownScalar<unknown>(`classifier.${key}`, ModelChoice.shape[key], (value, into) => {
      into.classifier = { ...into.classifier, [key]: value };
    }),
  ),
  ...(Object.keys(ModelChoice.shape) as (keyof ModelChoice)[]).map((key) =>
    ownScalar<unknown>(`advisor.${key}`, ModelChoice.shape[key], (value, into) => {
      into.advisor = { ...into.advisor, [key]: value };
    }),
  ),
  ownScalar('advisor.enabled', z.boolean(), (value, into) => {
    into.advisor = { ...into.advisor, enabled: value };
  }),
  ownScalar('webFetch.allowPrivate', z.array(z.string().trim().min(1)), (value, into) => {
    into.allowPrivate = value;
  }),
  ownScalar('titles', z.enum(['prompt', 'model']), (value, into) => {
    into.titles = value;
  }),
  ownScalar('notifications', z.enum(['all', 'questions', 'off']), (value, into) => {
    into.notifications = value;
  }),
  ownScalar('library.otherPrograms', z.boolean(), (value, into) => {
    into.otherPrograms = value;
  }),
  ownScalar('library.folders', z.array(FolderPath), (value, into) => {
    into.library = { ...into.library, folders: value };
  }),
  ownScalar('library.leaveOut', z.array(z.string().trim().min(1)), (value, into) => {
    into.library = { ...into.library, leaveOut: value };
  }),
  ownScalar('vault.folder', FolderPath, (value, into) => {
    into.vault = { ...into.vault, folder: value };
  }),
  ownScalar('vault.whileRunning', z.boolean(), (value, into) => {
    into.vault = { ...into.vault, whileRunning: value };
  }),
]);

const TREAT_AS_SAFE = 'concurrency.treatAsSafe';
const MAX_CHARS = 'results.maxChars';
const MCP_SERVERS = 'mcp.servers';
const MCP_DEFER = 'mcp.defer';
const EXPORT_REDACT = 'export.redact';
/** Read by methods of their own. */
const OTHERS: readonly string[] = [TREAT_AS_SAFE, MAX_CHARS, MCP_SERVERS, MCP_DEFER, EXPORT_REDACT];
const SECTIONS: ReadonlySet<string> = new Set([
  'concurrency',
  'streaming',
  'compact',
  'results',
  'agents',
  'model',
  'classifier',
  'advisor',
  'webFetch',
  'mcp',
  'export',
  'library',
  'vault',
]);
/** For editors; nothing of ours. */
const SCHEMA_KEY = '$schema';

function scalar<T>(path: string, schema: z.ZodType<T>, set: (value: T, into: Values) => void) {
  return reader<T, Values>(path, schema, set);
}
function ownScalar<T>(path: string, schema: z.ZodType<T>, set: (value: T, into: ModelValues) => void) {
  return reader<T, ModelValues>(path, schema, set);
}

function reader<T, Into>(
  path: string,
  schema: z.ZodType<T>,
  set: (value: T, into: Into) => void,
): readonly [string, (value: unknown, into: Into) => z.ZodError | undefined] {
  return [
    path,
    (value, into) => {
      const parsed = schema.safeParse(value);
      if (parsed.success) set(parsed.data, into);
      return parsed.error;
    },
  ];
}

const NO_VALUES = {
  values: {},
  treatAsSafe: [],
  model: {},
  titles: undefined,
  notifications: undefined,
  otherPrograms: undefined,
  library: {},
  vault: {},
  classifier: {},
  advisor: {},
  allowPrivate: [],
  redact: { patterns: [], broken: 0 },
  mcpServers: [],
  mcpDefer: undefined,
} as const;

/** Nobody knows which patterns the file had: an export has to say so. */
const LOST_PATTERNS: RedactChoice = { patterns: [], broken: 1 };

/**
 * One file of Gantry's own settings: JSON with comments, keys in sections (`{ "streaming": { "startUnsafe": … } }`). A
 * broken entry or an unknown key is skipped and reported; of a broken file nothing counts. Never throws.
 */
export function readGantrySettings(source: Source & { readonly text: string }): GantrySettings {
  const { scope, file, text } = source;
  const { root, problems, lineAt } = parseJsonc(text);
  const report = new Report(file);
  const nothing = { scope, file, ...NO_VALUES, findings: report.findings };
  const [problem] = problems;
  if (problem !== undefined) {
    report.add('settings-broken', problem.line, `The file is broken: ${problem.what}. Nothing in it has an effect.`);
    return { ...nothing, redact: LOST_PATTERNS };
  }
  if (root === undefined) return nothing;
  if (root.type !== 'object') {
    report.add('settings-entry', lineAt(root.offset), 'Settings have to be an object in braces.');
    return nothing;
  }
  const reading = new Reader(report, lineAt, source);
  reading.readObject(propertiesOf(root), '');
  const { values, treatAsSafe, models, mcpServers, mcpDefer } = reading;
  return { ...nothing, values, treatAsSafe, ...models, mcpServers, mcpDefer };
}

export function unreadableGantrySettings(source: Source & { readonly why: string }): GantrySettings {
  const report = new Report(source.file);
  report.add('settings-unreadable', 0, `The file cannot be read: ${source.why}. Nothing in it has an effect.`);
  return { scope: source.scope, file: source.file, ...NO_VALUES, redact: LOST_PATTERNS, findings: report.findings };
}

class Reader {
  readonly values: Values = {};
  readonly treatAsSafe: Placed<string>[] = [];
  readonly models: ModelValues = {
    model: {},
    titles: undefined,
    classifier: {},
    notifications: undefined,
    otherPrograms: undefined,
    library: {},
    vault: {},
    advisor: {},
    allowPrivate: [],
    redact: { patterns: [], broken: 0 },
  };
  mcpServers: readonly McpServerDefinition[] = [];
  mcpDefer: Defer | undefined;
  readonly #source: Source;
  readonly #report: Report;
  readonly #lineAt: (offset: number) => number;

  constructor(report: Report, lineAt: (offset: number) => number, { scope, file }: Source) {
    this.#source = { scope, file };
    this.#report = report;
    this.#lineAt = lineAt;
  }

  readObject(properties: readonly Property[], section: string): void {
    for (const property of properties) this.#readProperty(property, `${section}${property.key}`);
  }

  #readProperty({ key, node, value }: Property, path: string): void {
    // A key with a dot is one key; only sections make paths.
    const isPath = !key.includes('.');
    const read = isPath ? SCALARS.get(path) : undefined;
    const readOwn = isPath ? OWN_SCALARS.get(path) : undefined;
    if (readOwn !== undefined) {
      if (this.#source.scope !== 'user') this.#skip(node, path, 'it counts in your own settings only');
      else {
        const error = readOwn(value === undefined ? undefined : toValue(value), this.models);
        if (error !== undefined) this.#skip(node, path, problemOf(error));
      }
    } else if (read !== undefined) {
      const error = read(value === undefined ? undefined : toValue(value), this.values);
      if (error !== undefined) this.#skip(node, path, problemOf(error));
    } else if (isPath && path === TREAT_AS_SAFE) {
      this.#readRules(node, value);
    } else if (isPath && path === EXPORT_REDACT) {
      this.#readPatterns(node, value);
    } else if (isPath && path === MAX_CHARS) {
      this.#readMaxChars(node, value);
    } else if (isPath && path === MCP_SERVERS) {
      const place = { ...this.#source, where: path };
      this.mcpServers = readServers({ key, node, value }, place, this.#report, (each) => this.#line(each));
    } else if (isPath && path === MCP_DEFER) {
      this.#readDefer(node, value);
    } else if (SECTIONS.has(path)) {
      if (value?.type === 'object') this.readObject(propertiesOf(value), `${path}.`);
      else this.#skip(node, path, 'an object is expected');
    } else if (path !== SCHEMA_KEY) {
      this.#report.add('settings-unknown-key', this.#line(node), unknownKey(key, path));
    }
  }

  #readRules(node: Node, list: Node | undefined): void {
    if (list?.type !== 'array') {
      this.#skip(node, TREAT_AS_SAFE, 'a list of rules is expected');
      return;
    }
    for (const [index, entry] of (list.children ?? []).entries()) {
      const text = Text.safeParse(toValue(entry));
      if (text.success && parseRule(text.data) !== undefined) {
        this.treatAsSafe.push({ value: text.data, line: this.#line(entry) });
      } else {
        this.#skip(entry, `${TREAT_AS_SAFE}[${index}]`, 'a rule like Bash(npm test) is expected');
      }
    }
  }

  /** One that cannot be used is counted: an export says that it went without. */
  #readPatterns(node: Node, list: Node | undefined): void {
    if (this.#source.scope !== 'user') {
      this.#skip(node, EXPORT_REDACT, 'it counts in your own settings only');
      return;
    }
    if (list?.type !== 'array') {
      this.models.redact = { ...this.models.redact, broken: this.models.redact.broken + 1 };
      this.#skip(node, EXPORT_REDACT, 'a list of patterns is expected');
      return;
    }
    for (const [index, entry] of (list.children ?? []).entries()) {
      const pattern = OwnPatternEntry.safeParse(toValue(entry));
      const { patterns, broken } = this.models.redact;
      if (pattern.success) this.models.redact = { patterns: [...patterns, pattern.data], broken };
      else {
        this.models.redact = { patterns, broken: broken + 1 };
        this.#skip(entry, `${EXPORT_REDACT}[${index}]`, problemOf(pattern.error));
      }
    }
  }

  #readDefer(node: Node, value: Node | undefined): void {
    const defer = DEFER_CHOICES.find((choice) => choice === value?.value);
    if (defer === undefined) this.#skip(node, MCP_DEFER, `one of ${DEFER_CHOICES.join(', ')} is expected`);
    else this.mcpDefer = defer;
  }

  #readMaxChars(node: Node, tools: Node | undefined): void {
    if (tools?.type !== 'object') {
      this.#skip(node, MAX_CHARS, 'an object with a number for each tool is expected');
      return;
    }
    const limits: [string, number][] = [];
    for (const { key, node: entry, value } of propertiesOf(tools)) {
      const limit = WholeNumber.safeParse(value?.value);
      if (limit.success) limits.push([key, limit.data]);
      else this.#skip(entry, `${MAX_CHARS}.${shownText(key)}`, problemOf(limit.error));
    }
    this.values.maxResultChars = Object.fromEntries(limits);
  }

  #skip(node: Node, path: string, why: string): void {
    this.#report.add('settings-entry', this.#line(node), `${path} is skipped: ${why}.`);
  }

  #line(node: Node): number {
    return this.#lineAt(node.offset);
  }
}

function unknownKey(key: string, path: string): string {
  const isDotted = key.includes('.') && (SCALARS.has(key) || OWN_SCALARS.has(key) || OTHERS.includes(key));
  const [section, ...rest] = key.split('.');
  return isDotted
    ? `Write "${section}": { "${rest.join('.')}": … } instead of "${key}". It has no effect.`
    : `There is no setting ${shownText(path)}. It has no effect.`;
}
