import type { Page } from '@playwright/test';
import { expect, test } from './app.fixture.ts';

/*
 * What a page of ours could ask main for if somebody got it to run their code (docs/security.md).
 */

test.describe('requests', () => {
  const invoke = (page: Page, name: string, code: string) =>
    page.evaluate(
      ([request, source]) => {
        const { gantry } = window as unknown as { gantry: { invoke(name: string, input: unknown): Promise<unknown> } };
        const make: Record<string, () => unknown> = {
          huge: () => ({ sessionId: 's', text: 'x'.repeat(200_000_000) }),
          wide: () => ({ sessionId: 's', text: 'x', more: Array.from({ length: 300_000 }, (_, at) => at) }),
          deep: () => Array.from({ length: 300 }).reduce<unknown>((inner) => ({ inner }), 1),
          itself: () => {
            const value: Record<string, unknown> = { sessionId: 's' };
            value.value = value;
            return value;
          },
          map: () => ({ sessionId: 's', callId: 'c', askId: 'a', answer: { kind: 'allow-edited', input: new Map() } }),
          proto: () => JSON.parse('{"sessionId":"s","__proto__":{"polluted":true},"text":"x"}'),
          constructor: () => ({ sessionId: 's', constructor: { prototype: { polluted: true } }, text: 'x' }),
          nothing: () => undefined,
        };
        return gantry
          .invoke(request as string, make[source as string]?.())
          .catch((error: Error) => ({ threw: error.message }));
      },
      [name, code] as const,
    );

  for (const [name, code] of [
    ['session.send', 'huge'],
    ['session.send', 'wide'],
    ['session.send', 'deep'],
    ['session.send', 'itself'],
    ['permission.answer', 'map'],
    ['session.send', 'proto'],
    ['session.send', 'constructor'],
    ['session.send', 'nothing'],
    ['constructor', 'nothing'],
    ['__proto__', 'nothing'],
    ['toString', 'nothing'],
    ['nothing.such', 'nothing'],
  ] as const) {
    test(`${name} with ${code} is answered with a failure, and main goes on`, async ({ started: { app, page } }) => {
      const answer = await invoke(page, name, code);
      expect(answer).toMatchObject({ ok: false, error: { kind: expect.stringMatching(/^(bad-input|not-found)$/) } });
      expect(await app.evaluate(() => ({}) as { polluted?: boolean })).toEqual({});
      expect(await invoke(page, 'sessions.list', 'nothing')).toMatchObject({ ok: true });
    });
  }

  test('a thousand that fit nothing are all refused, and the app still works', async ({
    started: { gantry, page },
  }) => {
    const refused = await page.evaluate(async () => {
      const { gantry: bridge } = window as unknown as {
        gantry: { invoke(name: string, input: unknown): Promise<{ ok: boolean }> };
      };
      const names = [
        'session.send',
        'session.attach',
        'permission.answer',
        'output.read',
        'trust.set',
        'transcript.open',
      ];
      const values: unknown[] = [
        null,
        0,
        '',
        [],
        {},
        { sessionId: {} },
        { sessionId: 's', answer: null },
        { cwd: 7 },
        new Date(),
      ];
      let count = 0;
      for (let at = 0; at < 1_000; at++) {
        const name = names[at % names.length] ?? '';
        const { ok } = await bridge.invoke(name, values[Math.floor(at / names.length) % values.length]);
        if (!ok) count++;
      }
      return count;
    });
    expect(refused).toBe(1_000);
    await gantry.startScenario('Cascade');
    await gantry.timeline.waitForOutcome('again', 'ok');
  });
});

test('links lead to the system’s browser only when they are web addresses', async ({ started: { app, page } }) => {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  const open = (url: string) =>
    page.evaluate((to) => {
      const { gantry } = window as unknown as { gantry: { invoke(name: string, input: unknown): Promise<unknown> } };
      return gantry.invoke('link.open', { url: to });
    }, url);
  for (const url of [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://x/y',
    'gantry://app/',
    'https://a@b.example/',
  ]) {
    expect(await open(url)).toEqual({ ok: true, value: { opened: false } });
  }
  expect(await open('https://example.org/a')).toEqual({ ok: true, value: { opened: true } });
  expect(await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([
    'https://example.org/a',
  ]);
});
