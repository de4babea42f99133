import { PermissionMode } from '../../../src-shared/permission/event.ts';
import { type Field, fieldsOf, splitFrontMatter, unquoted } from '../front-matter.ts';
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
  const parts = splitFrontMatter(text);
  if (parts === undefined) return broken(1, 'It does not begin with front matter between two lines of ---.');
  const fields = fieldsOf(parts.matter);
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
    prompt: parts.body.trim(),
    ...(tools === undefined ? {} : { tools }),
    withoutTools,
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(mostRequests === undefined ? {} : { mostRequests }),
    from,
  };
  return { definition, findings };
}

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
