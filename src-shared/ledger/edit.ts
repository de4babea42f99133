import { z } from 'zod';

export const RuleList = z.enum(['allow', 'ask', 'deny']);
export type RuleList = z.output<typeof RuleList>;

/** The settings files that a person may change. */
export const EditableScope = z.enum(['user', 'project', 'local']);
export type EditableScope = z.output<typeof EditableScope>;

const RuleText = z.string().trim().min(1).max(20_000);

/** One change of one list of one settings file. */
export const RuleEdit = z.object({
  scope: EditableScope,
  /** The folder whose project or local settings are meant, absolute; any folder for `user`. */
  folder: z.string().min(1),
  list: RuleList,
  /** The rule that is changed, as it stands there. Absent: the new ones go to the end of the list. */
  before: RuleText.optional(),
  /** What stands in its place: nothing (it is removed), another rule, or several. */
  after: z.array(RuleText).max(50),
});
export type RuleEdit = z.output<typeof RuleEdit>;
export const RuleEdits = z.array(RuleEdit).max(500);
