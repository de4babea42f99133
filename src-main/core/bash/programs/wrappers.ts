import { refuse } from '../arguments.ts';
import type { Wrapper } from './program.ts';

type WrapperShape = {
  /** Options that stand alone. */
  readonly plain: RegExp;
  /** Options whose value is the next argument. */
  readonly withValue: RegExp;
  /** What stands between the options and the command. */
  readonly leading?: readonly RegExp[];
};

function wrapper({ plain, withValue, leading = [] }: WrapperShape): Wrapper {
  return (args) => {
    let at = 0;
    while (args[at]?.fixed && args[at]?.text.startsWith('-')) {
      const { text } = args[at]!;
      if (withValue.test(text) && args[at + 1]?.fixed) at += 2;
      else if (plain.test(text)) at += 1;
      else return refuse(`The option ${text} is not known to be harmless.`, args[at]);
    }
    for (const expected of leading) {
      const arg = args[at];
      if (!arg?.fixed || !expected.test(arg.text)) return refuse('This part is not understood.', arg);
      at += 1;
    }
    return at < args.length ? { inner: args.slice(at) } : refuse('A command is missing here.');
  };
}

const nothing = /^(?!)/;
const duration = /^\d*\.?\d+[smhd]?$/;

/** Programs that run the command behind them with a limit or another priority, and do nothing else. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  [
    'timeout',
    wrapper({
      plain:
        /^(?:--(?:preserve-status|foreground|verbose|signal=\w+|kill-after=[\d.]+[smhd]?)|-v|-s\w+|-k[\d.]+[smhd]?)$/,
      withValue: /^(?:-s|-k|--signal|--kill-after)$/,
      leading: [duration],
    }),
  ],
  // It writes nohup.out only when standard output is a terminal, which ours never is.
  ['nohup', wrapper({ plain: nothing, withValue: nothing })],
  ['nice', wrapper({ plain: /^(?:-n-?\d+|--adjustment=-?\d+|-{1,2}\d+)$/, withValue: /^(?:-n|--adjustment)$/ })],
  ['stdbuf', wrapper({ plain: /^(?:-[ioe](?:L|\d+)|--(?:input|output|error)=(?:L|\d+))$/, withValue: /^-[ioe]$/ })],
]);

/** `command` and `builtin` of bash: what they run is looked up without functions. */
export const shellWrappers: ReadonlyMap<string, Wrapper> = new Map([
  ['command', wrapper({ plain: /^-p$/, withValue: nothing })],
  ['builtin', wrapper({ plain: nothing, withValue: nothing })],
]);
