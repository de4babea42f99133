import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from './app.fixture.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

for (const theme of ['dark', 'light']) {
  test(`the start page and a finished session have no accessibility faults that axe knows (${theme})`, async ({
    launcher,
  }) => {
    const { gantry, page } = await launcher.start({ env: { GANTRY_THEME: theme } });
    await gantry.idle();
    expect(await faults()).toEqual([]);
    await gantry.startScenario('Cascade');
    await gantry.timeline.waitForOutcome('again', 'ok');
    await gantry.idle();
    expect(await faults()).toEqual([]);

    async function faults() {
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> };
        };
        // Splitters stand between the regions they divide, in none of them. Key caps inside a button are for the eye
        // and no part of its name, which the rule about names does not know.
        const context = { exclude: [['[role="separator"]']] };
        const options = { rules: { 'label-content-name-mismatch': { enabled: false } } };
        return (await axe.run(context, options)).violations;
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    }
  });
}

test('the renderer is sandboxed: no Node, no navigation, no new window, a strict policy', async ({
  started: { app, page },
}) => {
  expect(await page.evaluate(() => 'require' in window || 'process' in window)).toBe(false);
  const before = page.url();
  await page.evaluate(() => {
    location.href = 'https://example.com/';
  });
  await page.evaluate(() => window.open('about:blank'));
  expect(page.url()).toBe(before);
  expect(app.windows()).toHaveLength(1);
  // The inspector may evaluate in spite of the policy, so what counts is an element that the page itself adds.
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.documentElement.dataset.inline = "ran"';
    document.head.append(script);
    return document.documentElement.dataset.inline ?? 'refused';
  });
  expect(ran).toBe('refused');
});

test('a malformed request is refused with a reason', async ({ started: { page } }) => {
  const answers = await page.evaluate(async () => {
    const { gantry } = window as unknown as { gantry: { invoke(name: string, input: unknown): Promise<unknown> } };
    return Promise.all([
      gantry.invoke('constructor', undefined),
      gantry.invoke('scenario.start', { name: 5 }),
      gantry.invoke('session.attach', { sessionId: '../../etc', fromSeq: 0 }),
    ]);
  });
  expect(answers).toMatchObject([
    { ok: false, error: { kind: 'bad-input' } },
    { ok: false, error: { kind: 'bad-input' } },
    { ok: false, error: { kind: 'not-found' } },
  ]);
});
