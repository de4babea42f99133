/**
 * What a reading of a sed script shows. `malformed` is something every sed rejects before it does anything;
 * `acts` is whatever may do more than print, and whatever is not understood.
 */
type Verdict = { readonly kind: 'reads' | 'malformed' | 'acts'; readonly reason: string };

const reads: Verdict = { kind: 'reads', reason: '' };
const malformed = (reason: string): Verdict => ({ kind: 'malformed', reason });
const acts = (reason: string): Verdict => ({ kind: 'acts', reason });

/**
 * How square brackets in a pattern hide the delimiter, as the versions of sed have it: not at all, as POSIX says,
 * or with a backslash escaping inside them as well.
 */
const dialects: readonly (RegExp | undefined)[] = [
  undefined,
  /^\[\^?\]?(?:\[([.:=])(?:(?!\1\])[^\n])*\1\]|\[(?![.:=])|[^[\]\n])*\]/,
  /^\[\^?\]?(?:\[([.:=])(?:(?!\1\])[^\n])*\1\]|\[(?![.:=])|\\[^\n]|[^[\]\\\n])*\]/,
];

/**
 * Why a sed script may do more than print, or nothing when it cannot. Understood are addresses, blocks, labels and
 * the commands `= d D g G h H l n N p P q Q s x y z a i c b t T`; everything else is refused, `w`, `W`, `r`, `R`
 * and `e` above all, also as flags of `s`. The script must be harmless in every dialect that accepts it.
 */
export function findSedTrouble(script: string): string | undefined {
  const verdicts = dialects.map((brackets) => readScript({ text: script, at: 0, brackets }));
  const bad = verdicts.find(({ kind }) => kind === 'acts');
  if (bad !== undefined) return bad.reason;
  return verdicts.some(({ kind }) => kind === 'reads') ? undefined : verdicts[0]?.reason;
}

/** A place in a sed script, and the dialect it is read in. */
type Place = { readonly text: string; at: number; readonly brackets: RegExp | undefined };

function readScript(place: Place): Verdict {
  let blocks = 0;
  for (;;) {
    take(place, /[\s;]*/y);
    if (place.at >= place.text.length)
      return blocks === 0 ? reads : malformed('A block of the sed script is not closed.');
    if (take(place, /#[^\n]*/y) !== undefined) continue;
    if (take(place, /\}/y) !== undefined) {
      blocks -= 1;
      if (blocks < 0) return malformed('The sed script closes a block that is not open.');
      const end = takeEnd(place, 'The sed script is not understood.');
      if (end !== undefined) return end;
      continue;
    }
    const address = takeAddresses(place);
    if (address !== undefined) return address;
    if (take(place, /\{/y) !== undefined) {
      blocks += 1;
      continue;
    }
    const trouble = takeCommand(place);
    if (trouble !== undefined) return trouble;
  }
}

function take(place: Place, pattern: RegExp): string | undefined {
  pattern.lastIndex = place.at;
  const match = pattern.exec(place.text);
  if (match === null) return undefined;
  place.at += match[0].length;
  return match[0];
}

/** Takes blanks up to the end of a command. What follows instead is either rejected by every sed or unknown to us. */
function takeEnd(place: Place, reason: string): Verdict | undefined {
  if (take(place, /[ \t]*(?=$|[;\n}#])/y) !== undefined) return undefined;
  take(place, /[ \t]*/y);
  return /[\w\\]/.test(place.text[place.at] ?? '') ? acts(reason) : malformed(reason);
}

function takeAddresses(place: Place): Verdict | undefined {
  const first = takeAddress(place, /\d+(?:~\d+)?|\$/y);
  if (first !== 'none' && first !== 'taken') return first;
  take(place, /[ \t]*/y);
  if (first === 'taken' && take(place, /,/y) !== undefined) {
    take(place, /[ \t]*/y);
    const second = takeAddress(place, /[+~]?\d+|\$/y);
    if (second === 'none') return acts('An address of the sed script is not understood.');
    if (second !== 'taken') return second;
    take(place, /[ \t]*/y);
  }
  take(place, /!?[ \t]*/y);
  return undefined;
}

function takeAddress(place: Place, plain: RegExp): 'none' | 'taken' | Verdict {
  if (take(place, plain) !== undefined) return 'taken';
  const custom = take(place, /\\(?=[!-/:-@^_`{|}~])/y) !== undefined;
  if (!custom && place.text[place.at] !== '/') return 'none';
  if (!takeDelimited(place, 'pattern')) return malformed('An address of the sed script is not closed.');
  take(place, /[IM]*/y);
  return 'taken';
}

function takeCommand(place: Place): Verdict | undefined {
  const command = place.text[place.at] ?? '';
  place.at += 1;
  if (command === 's' || command === 'y') return takeSubstitution(place, command);
  if (/[aic]/.test(command)) {
    // A text runs to the end of the line. With backslashes in it, versions of sed differ about where that is.
    const text = take(place, /[^\n]*/y) ?? '';
    return text.trim() === '' || text.includes('\\') ? acts(`The text of ${command} is not understood.`) : undefined;
  }
  if (command === ':') {
    if (take(place, /[ \t]*\w+/y) === undefined) return acts('A label is not understood.');
  } else if (/[btT]/.test(command)) {
    take(place, /[ \t]*\w*/y);
  } else if (/[lqQ]/.test(command)) {
    take(place, /[ \t]*\d*/y);
  } else if (!/[=dDgGhHnNpPxz]/.test(command)) {
    const reason = `The sed command ${command} is not known to only print.`;
    return command === '' || /[\w\\:{}#]/.test(command) ? acts(reason) : malformed(reason);
  }
  return takeEnd(place, 'The sed script is not understood.');
}

function takeSubstitution(place: Place, command: 's' | 'y'): Verdict | undefined {
  const delimiter = place.text[place.at] ?? '';
  if (!/^[!-/:-@^_`{|}~]$/.test(delimiter)) return acts('A delimiter of the sed script is not understood.');
  if (!takeDelimited(place, command === 's' ? 'pattern' : 'text')) return malformed('A substitution is not closed.');
  place.at -= 1;
  if (!takeDelimited(place, 'text')) return malformed('A substitution is not closed.');
  if (command === 's') take(place, /[gpiImM0-9]*/y);
  return takeEnd(place, 'A flag of the substitution is not known to only print.');
}

/** Takes `/…/` with whatever delimiter stands at the place, and stops behind the closing one. */
function takeDelimited(place: Place, kind: 'pattern' | 'text'): boolean {
  const delimiter = place.text[place.at];
  for (let i = place.at + 1; i < place.text.length; i += 1) {
    const c = place.text[i];
    if (c === '\n') return false;
    if (c === '\\') {
      i += 1;
      if (place.text[i] === '\n') return false;
    } else if (c === delimiter) {
      place.at = i + 1;
      return true;
    } else if (c === '[' && kind === 'pattern' && place.brackets !== undefined) {
      const close = place.brackets.exec(place.text.slice(i));
      if (close === null) return false;
      i += close[0].length - 1;
    }
  }
  return false;
}
