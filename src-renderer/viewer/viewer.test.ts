// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { noMain } from './no-main.ts';
import { readSession } from './read-data.ts';

const queued = {
  type: 'call-queued',
  callId: 'c',
  agentId: 'main',
  messageId: 'm',
  index: 0,
  tool: 'Bash',
  summary: 'ls',
  safety: { safe: true, because: 'declared-safe' },
};
const saved = { type: 'result-saved', callId: 'c', path: '~/out.txt', bytes: 9, found: true };

function pageWith(...pieces: readonly (readonly object[])[]): HTMLElement {
  const page = document.createElement('div');
  let seq = 0;
  for (const piece of pieces) {
    const script = document.createElement('script');
    script.type = 'application/json';
    script.setAttribute('data-events', '');
    script.textContent = JSON.stringify(piece.map((event) => ({ seq: seq++, at: 0, t: seq, ...event })));
    page.append(script);
  }
  return page;
}

test('the pieces of a page are one session that is over; files of outputs are not there', async () => {
  const page = pageWith([queued], [saved, { type: 'not-known' }]);
  const shares: number[] = [];
  const { state, events } = await readSession(page, (share) => shares.push(share));
  expect(shares).toEqual([0.5, 1]);
  expect(events).toHaveLength(2);
  expect(state.ended).toBe('end-of-file');
  expect(state.calls[0]?.saved).toMatchObject({ path: '~/out.txt', found: false });
  expect(page.querySelectorAll('script')).toHaveLength(0);
});

test('what only main can do is told in words', async () => {
  expect(await noMain.invoke('output.read', {})).toMatchObject({
    ok: false,
    error: { message: 'The whole output is not part of this file.' },
  });
  expect(await noMain.invoke('session.send', {})).toMatchObject({ ok: false });
  expect(await noMain.invoke('link.open', { url: 'javascript:alert(1)' })).toEqual({
    ok: true,
    value: { opened: false },
  });
});
