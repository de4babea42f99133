import { createHash } from 'node:crypto';
import type { ToolResult } from '../../../src-shared/tool-call/content.ts';

/** The same for results that the model cannot tell apart, and for no others. */
export const fingerprintOf = (result: ToolResult): string =>
  createHash('sha256')
    .update(JSON.stringify([result.isError, result.content]))
    .digest('base64');
