import { LineCounter, parseDocument } from 'yaml';
import { PermissionMode } from '../../../src-shared/permission/event.ts';
import type { AgentDefinition, AgentFinding } from './definition.ts';

type Source = { readonly kind: 'user' | 'project'; readonly file: string };
export type ParsedDefinition = {
  /** Undefined: the file is none. */
  readonly definition: AgentDefinition | undefined;
  readonly findings: readonly AgentFinding[];
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;
/** They mean something to other programs, and nothing here: whoever relies on them has to know. */
const WITHOUT_EFFECT = ['hooks', 'mcpServers', 'skills', 'memory', 'background', 'isolation'] as const;

/** A field of the front matter: its value, and the line it stands in. */
type Field = { readonly value: unknown; readonly line: number };

/**
 * A definition as `.claude/agents/*.md` hold them: YAML between two lines of `---`, then the prompt.
 * @param text the whole file.
 */
export function parseDefinition(text: string, from: Source): ParsedDefinition {
  const { file } = from;
  const findings: AgentFinding[] = [];
  const find = (line: number, message: string): void => void findings.push({ file, line, message });
  const broken = (line: number, message: string): ParsedDefinition => {
    find(line, `${message} The agent is left out.`);
    return { definition: undefined, findings };
  };
  const parts = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (parts === null) return broken(1, 'It does not begin with front matter between two lines of ---.');
  const fields = fieldsOf(parts[1] ?? '');
  if ('message' in fields) return broken(fields.line, fields.message);
  const wordsAt = (key: string): string | undefined => {
    const value = fields.get(key)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const lineOf = (key: string): number => fields.get(key)?.line ?? 1;

  const name = wordsAt('name');
  if (name === undefined) return broken(lineOf('name'), 'It has no name.');
  if (!NAME.test(name)) return broken(lineOf('name'), 'Its name is not made of letters, digits and hyphens.');
  const description = wordsAt('description');
  if (description === undefined) return broken(lineOf('description'), 'It has no description to choose it by.');
  const lists = { tools: namesOf(fields.get('tools')), without: namesOf(fields.get('disallowedTools')) };
  for (const [key, list] of [['tools', lists.tools] as const, ['disallowedTools', lists.without] as const]) {
    // An agent that was meant to have few tools must not come to have all of them.
    if (list === 'broken') return broken(lineOf(key), `Its ${key} are no list of names.`);
  }
  const tools = lists.tools === 'broken' ? undefined : lists.tools;
  const withoutTools = lists.without === 'broken' ? [] : (lists.without ?? []);
  for (const tool of tools ?? []) {
    if (/[()]/.test(tool))
      find(lineOf('tools'), `${tool} names a part of a tool, which gives none. Write a permission rule for it.`);
  }
  for (const key of WITHOUT_EFFECT) {
    if (fields.has(key)) find(lineOf(key), `${key} of an agent has no effect in Gantry.`);
  }
  const mode = modeOf(fields.get('permissionMode'), (message) => find(lineOf('permissionMode'), message));
  const mostRequests = countOf(fields.get('maxTurns'), () =>
    find(lineOf('maxTurns'), 'maxTurns is no positive whole number. It is passed over.'),
  );
  const model = wordsAt('model');
  const definition: AgentDefinition = {
    name,
    description,
    prompt: (parts[2] ?? '').trim(),
    ...(tools === undefined ? {} : { tools }),
    withoutTools,
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(mostRequests === undefined ? {} : { mostRequests }),
    from,
  };
  return { definition, findings };
}

/** The first line of the front matter is the second of the file. */
const FIRST_LINE = 2;

/**
 * The fields with their lines. Many files in use hold descriptions with a colon in them, which YAML does not take; those
 * are read line by line, as the programs that wrote them do.
 */
function fieldsOf(matter: string): ReadonlyMap<string, Field> | { readonly line: number; readonly message: string } {
  const lines = new LineCounter();
  const document = parseDocument(matter, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error === undefined) {
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { line: FIRST_LINE, message: 'Its front matter has no fields.' };
    }
    return new Map(Object.entries(value).map(([key, field]) => [key, { value: field, line: lineOfKey(matter, key) }]));
  }
  const plain = plainFields(matter);
  if (plain !== undefined) return plain;
  const { line } = lines.linePos(error.pos[0]);
  return { line: line + FIRST_LINE - 1, message: `Its front matter is not YAML: ${error.message.split('\n')[0]}.` };
}

const lineOfKey = (matter: string, key: string): number => {
  const at = matter.split('\n').findIndex((line) => line.startsWith(`${key}:`) || line.startsWith(`"${key}":`));
  return at === -1 ? FIRST_LINE : at + FIRST_LINE;
};

/** `key: the rest of the line`, and nothing else. */
function plainFields(matter: string): ReadonlyMap<string, Field> | undefined {
  const fields = new Map<string, Field>();
  for (const [at, line] of matter.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const parts = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line);
    if (parts === null) return undefined;
    const [, key = '', value = ''] = parts;
    fields.set(key, { value: unquoted(value.trim()), line: at + FIRST_LINE });
  }
  return fields;
}

const unquoted = (value: string): string =>
  /^"[^"]*"$|^'[^']*'$/.test(value) ? value.slice(1, -1) : value.replaceAll('\\n', '\n');

/** `Read, Grep` or a list. Undefined: it does not stand there. */
function namesOf(field: Field | undefined): readonly string[] | 'broken' | undefined {
  if (field === undefined) return undefined;
  const { value } = field;
  const list = typeof value === 'string' ? splitNames(value.replace(/^\[(.*)\]$/, '$1')) : (value ?? []);
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) return 'broken';
  return list.map((one: string) => unquoted(one.trim())).filter((one) => one !== '');
}

/** At commas that stand in no brackets. */
const splitNames = (text: string): string[] => text.split(/,(?![^(]*\))/);

function modeOf(field: Field | undefined, find: (message: string) => void): PermissionMode | undefined {
  if (field === undefined) return undefined;
  const parsed = PermissionMode.safeParse(field.value);
  if (parsed.success) return parsed.data;
  find('permissionMode names no mode. It is passed over.');
  return undefined;
}

function countOf(field: Field | undefined, find: () => void): number | undefined {
  if (field === undefined) return undefined;
  const count = typeof field.value === 'string' ? Number(field.value) : field.value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return count;
  find();
  return undefined;
}
