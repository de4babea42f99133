import { toLine } from '../../../src-shared/session/stored-line.ts';
import type { Exporter } from './session.ts';

/** Gantry's own journal: every event, a line each. Read again it is the same session. */
export const exportGantry: Exporter = function* ({ events }) {
  for (const event of events) yield `${toLine(event)}\n`;
};
