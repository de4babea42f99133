import { type Arg, type Refusal, refuse } from '../arguments.ts';

const flags =
  /^(?:-[rcnsejSaMCRV]+|--(?:raw-output|raw-output0|join-output|compact-output|null-input|slurp|exit-status|sort-keys|ascii-output|monochrome-output|color-output|raw-input|tab|unbuffered|stream|seq|args|jsonargs|help|version))$/;

/** How many arguments follow each of these. */
const withValues = new Map([
  ['--arg', 2],
  ['--argjson', 2],
  ['--slurpfile', 2],
  ['--rawfile', 2],
  ['--indent', 1],
]);

/** jq, whose language cannot write or run anything; the environment and modules stay out of it. */
export function judgeJq(args: readonly Arg[]): Refusal | undefined {
  let filter: Arg | undefined;
  let optionsOver = false;
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i]!;
    if (!arg.fixed) return refuse('The value of this part is not known, and it could become an option.', arg);
    const values = optionsOver ? undefined : withValues.get(arg.text);
    if (values !== undefined) {
      const taken = args.slice(i + 1, i + 1 + values);
      const open = taken.find((value) => value.spreads);
      if (taken.length < values || open !== undefined) return refuse(`${arg.text} lacks its values.`, open ?? arg);
      i += values;
    } else if (!optionsOver && arg.text === '--') {
      optionsOver = true;
    } else if (!optionsOver && arg.text.startsWith('-') && arg.text !== '-') {
      if (!flags.test(arg.text)) return refuse(`The option ${arg.text} is not known to be harmless.`, arg);
    } else {
      filter ??= arg;
    }
  }
  if (filter === undefined) return undefined;
  if (/\b(?:env|import|include|input_filename|get_search_list|modulemeta)\b|\$ENV/.test(filter.text)) {
    return refuse('This jq filter uses more than its input.', filter);
  }
  return undefined;
}
