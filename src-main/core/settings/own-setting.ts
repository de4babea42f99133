import { applyEdits, modify } from 'jsonc-parser';
import { err, ok, type Result } from '../../../src-shared/result.ts';
import { lineBreakOf, type NotAdded } from './add-rule.ts';
import { parseJsonc, propertiesOf } from './jsonc.ts';

/**
 * The text of Gantry's own settings file with another value at `section.key`; undefined takes the key away. Everything else
 * stays as it is, comments too. A broken file is left to its owner.
 */
export function withOwnSetting(
  text: string,
  [section, key]: readonly [string, string],
  value: unknown,
): Result<string, NotAdded> {
  const { root, problems, lineAt } = parseJsonc(text);
  const [problem] = problems;
  if (problem !== undefined) return err(problem);
  if (root !== undefined && root.type !== 'object') {
    return err({ line: lineAt(root.offset), what: 'it is no object in braces' });
  }
  const [before, twice] = propertiesOf(root).filter((property) => property.key === section);
  if (twice !== undefined) return err({ line: lineAt(twice.node.offset), what: `${section} stands in it twice` });
  if (before !== undefined && before.value?.type !== 'object') {
    return err({ line: lineAt(before.node.offset), what: `${section} is no object` });
  }
  if (value === undefined && !propertiesOf(before?.value).some((property) => property.key === key)) return ok(text);
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: lineBreakOf(text) };
  const start = root === undefined ? `${text}{}${lineBreakOf(text)}` : text;
  return ok(applyEdits(start, modify(start, [section, key], value, { formattingOptions })));
}
