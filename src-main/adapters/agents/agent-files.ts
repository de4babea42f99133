import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_AGENTS } from '../../core/agents/built-in.ts';
import type { AgentCatalog, AgentDefinition, AgentFinding } from '../../core/agents/definition.ts';
import { type ParsedDefinition, parseDefinition } from '../../core/agents/parse-definition.ts';
import type { AgentDefinitions } from '../../ports/agent-definitions.ts';
import type { Clock } from '../../ports/clock.ts';
import { isMissing, type SettingsText } from '../settings/read-settings.ts';
import { WatchedFile } from '../settings/watched-file.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';

/** More files than this in one folder are no agents of anybody. */
const MOST_FILES = 200;

type Kind = 'user' | 'project';
export type AgentFolder = { readonly kind: Kind; readonly folder: string };

type Known = { readonly watched: WatchedFile; text: SettingsText | undefined; parsed: ParsedDefinition };
const NOTHING: ParsedDefinition = { definition: undefined, findings: [] };

/**
 * The definitions of some folders and those that are built in. Of one name the nearest counts: the project's, the
 * user's, the built-in one.
 */
export class AgentFiles implements AgentDefinitions {
  readonly #folders: readonly AgentFolder[];
  readonly #clock: Clock;
  readonly #files = new Map<string, Known>();
  readonly #troubles = new Map<string, ParsedDefinition>();
  #catalog: AgentCatalog | undefined;
  /** What the catalog was made of. */
  #parts: readonly unknown[] = [];

  /** @param folders the nearest first. Absolute; they need not be there. */
  constructor(folders: readonly AgentFolder[], clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
  }

  get current(): AgentCatalog {
    return this.#catalog ?? this.look();
  }

  look(): AgentCatalog {
    const parsed = this.#folders.flatMap(({ kind, folder }) => this.#look(kind, folder));
    if (this.#catalog !== undefined && isSame(parsed, this.#parts)) return this.#catalog;
    this.#parts = parsed;
    this.#catalog = catalogOf(parsed);
    return this.#catalog;
  }

  #look(kind: Kind, folder: string): readonly ParsedDefinition[] {
    const { names, trouble } = namesIn(folder);
    const found = names.map((name) => this.#lookAt(kind, join(folder, name)));
    return trouble === undefined ? found : [...found, this.#trouble(folder, trouble)];
  }

  #lookAt(kind: Kind, file: string): ParsedDefinition {
    const known = this.#files.get(file) ?? {
      watched: new WatchedFile(file, this.#clock),
      text: undefined,
      parsed: NOTHING,
    };
    this.#files.set(file, known);
    const text = known.watched.look();
    if (text === known.text) return known.parsed;
    known.text = text;
    known.parsed = parsedOf(text, { kind, file });
    return known.parsed;
  }

  /** The same object for the same trouble, so that it is told once. */
  #trouble(folder: string, message: string): ParsedDefinition {
    const key = `${folder}\n${message}`;
    const known = this.#troubles.get(key) ?? {
      definition: undefined,
      findings: [{ file: folder, line: 1, message }],
    };
    this.#troubles.set(key, known);
    return known;
  }
}

function parsedOf(text: SettingsText, from: { readonly kind: Kind; readonly file: string }): ParsedDefinition {
  switch (text.kind) {
    case 'text':
      return parseDefinition(text.text, from);
    case 'missing':
      return NOTHING;
    case 'unreadable':
      return {
        definition: undefined,
        findings: [{ file: from.file, line: 1, message: `It cannot be read: ${text.why}.` }],
      };
  }
}

function namesIn(folder: string): { readonly names: readonly string[]; readonly trouble: string | undefined } {
  try {
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
    if (names.length <= MOST_FILES) return { names, trouble: undefined };
    return { names: names.slice(0, MOST_FILES), trouble: `Only the first ${MOST_FILES} agents of it are read.` };
  } catch (error) {
    return { names: [], trouble: isMissing(error) ? undefined : `It cannot be read: ${diskTrouble(error)}.` };
  }
}

function catalogOf(parsed: readonly ParsedDefinition[]): AgentCatalog {
  const byName = new Map<string, AgentDefinition>();
  const findings: AgentFinding[] = [];
  for (const { definition, findings: its } of parsed) {
    findings.push(...its);
    if (definition === undefined) continue;
    const key = definition.name.toLowerCase();
    const nearer = byName.get(key);
    if (nearer === undefined) byName.set(key, definition);
    else if (nearer.from.kind === definition.from.kind && definition.from.kind !== 'built-in') {
      const message = `The agent ${definition.name} is defined in another file of this folder already. It is left out.`;
      findings.push({ file: definition.from.file, line: 1, message });
    }
  }
  for (const definition of BUILT_IN_AGENTS) {
    if (!byName.has(definition.name)) byName.set(definition.name, definition);
  }
  return { definitions: [...byName.values()], findings };
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);
