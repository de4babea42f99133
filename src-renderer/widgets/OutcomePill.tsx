import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { outcomeWords } from './outcome.ts';
import { Pill } from './Pill.tsx';

export type OutcomePillProps = {
  readonly call: ToolCall;
  /** `exit 1` rather than `error, exit 1`. */
  readonly short?: boolean;
  readonly className?: string | undefined;
};

/** How a call stands or ended: hue, sign and words. */
export function OutcomePill({ call, short = false, className }: OutcomePillProps) {
  const { tone, icon, label } = outcomeWords(call, short);
  return (
    <Pill tone={tone} icon={icon} className={className}>
      {label}
    </Pill>
  );
}
