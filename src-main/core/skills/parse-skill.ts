import { fieldsOf, splitFrontMatter } from '../front-matter.ts';

/** Where a skill comes from. A command is a skill of one file, with places for what is written behind its name. */
export type SkillPlace = {
  readonly from: 'user' | 'project';
  readonly kind: 'skill' | 'command';
  /** The file, absolute. */
  readonly file: string;
  /** What its files' paths start from, absolute. */
  readonly base: string;
  /** By the folder or file it is in: what it is called when it says nothing. */
  readonly fallbackName: string;
};

export type Skill = SkillPlace & {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Its author wants only people to start it. */
  readonly forPeopleOnly: boolean;
};

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,63}$/u;
const MOST_DESCRIPTION = 1_000;

/** Reads one file. What is broken in its front matter costs the front matter, not the skill. Undefined: it has no name. */
export function parseSkill(text: string, place: SkillPlace): Skill | undefined {
  const parts = splitFrontMatter(text);
  const fields = parts === undefined ? undefined : fieldsOf(parts.matter);
  const fieldOf = (key: string): unknown =>
    fields === undefined || 'message' in fields ? undefined : fields.get(key)?.value;
  const own = fieldOf('name');
  const name = typeof own === 'string' && NAME.test(own.trim()) ? own.trim() : place.fallbackName;
  if (!NAME.test(name)) return undefined;
  const body = (parts?.body ?? text.replace(/^\uFEFF/, '')).trim();
  const said = fieldOf('description');
  const description = typeof said === 'string' && said.trim() !== '' ? said : firstLine(body);
  return {
    ...place,
    name,
    description: description.replace(/\s+/g, ' ').trim().slice(0, MOST_DESCRIPTION),
    body,
    forPeopleOnly: [true, 'true'].includes(fieldOf('disable-model-invocation') as string | boolean),
  };
}

const firstLine = (body: string): string =>
  body
    .split('\n')
    .map((line) => line.replace(/^[#\s>*-]+/, '').trim())
    .find((line) => line !== '') ?? '';
