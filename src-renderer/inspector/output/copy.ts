import type { CallId, SessionId } from '../../../src-shared/ids.ts';
import { OUTPUT_PAGE_BYTES } from '../../../src-shared/ipc/contract.ts';
import { request } from '../../bridge.ts';

/** An output up to this size is copied whole; a larger one would not fit through the clipboard's door. */
export const COPY_LIMIT = 5 * 1024 * 1024;

/** The whole output as text. Read page by page and decoded once, so that no character is torn. */
export async function wholeOutput(of: { readonly sessionId: SessionId; readonly callId: CallId }): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  let offset = 0;
  for (;;) {
    const page = await request('output.read', { ...of, offset, length: OUTPUT_PAGE_BYTES });
    text += decoder.decode(page.bytes, { stream: true });
    offset = page.offset + page.bytes.length;
    if (offset >= page.total || page.bytes.length === 0) return text + decoder.decode();
  }
}
