import { type Refusal, refuse, toArg, undecidedPart } from './arguments.ts';
import type { Redirection } from './syntax.ts';

/** Why a redirection may write or reach out, or nothing when it only discards, duplicates or reads a file. */
export function judgeRedirection(redirection: Redirection): Refusal | undefined {
  const { op, descriptor, heredoc, target } = redirection;
  if (descriptor.startsWith('{')) return refuse('This opens a file under a new descriptor.', redirection);
  if (heredoc !== undefined) return judgeHeredoc(redirection);
  const undecided = undecidedPart(target);
  if (undecided !== undefined) return undecided;
  const arg = toArg(target);
  if (op === '<<<') return undefined;
  if (op === '<') {
    if (!arg.fixed) return refuse('It is not known which file is read here.', redirection);
    // bash opens /dev/tcp and /dev/udp as network connections; other devices may act when they are opened.
    const isDevice = /(?:^|\/)dev\//.test(arg.text) && !/^\/dev\/(?:null|zero)$/.test(arg.text);
    return isDevice ? refuse('A device is opened here.', redirection) : undefined;
  }
  const isDuplicate = (op === '>&' || op === '<&') && arg.fixed && /^(?:\d{1,2}|-)$/.test(arg.text);
  if (isDuplicate) return undefined;
  const writes =
    op === '>' || op === '>>' || op === '>|' || op === '&>' || op === '&>>' || (op === '>&' && descriptor === '');
  if (writes && arg.fixed && arg.text === '/dev/null') return undefined;
  return refuse('The output is written to a file.', redirection);
}

/** A here-document is data. Unquoted, it may hold expansions, and only plain variables are followed. */
function judgeHeredoc({ heredoc, span }: Redirection): Refusal | undefined {
  const body = heredoc?.body;
  if (body === undefined || !body.closed) return refuse('A here-document is not closed.', { span });
  for (const part of body.parts) {
    if (part.kind === 'substitution') return refuse('Another command runs to fill in this part.', part);
    if (part.kind === 'expansion' && part.risk === 'unknown') {
      return refuse('This expansion can do more than give a value.', part);
    }
    if (part.kind === 'text' && part.text.includes('\\'))
      return refuse('This here-document cannot be decoded for certain.', body);
  }
  return undefined;
}
