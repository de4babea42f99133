import { expect, test } from './app.fixture.ts';

test('the path of a turn: through the lock to the calls before, and to the person who was asked', async ({
  started: { gantry, page },
}) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await gantry.board.button('Allow once').click();
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
  await gantry.idle();

  const path = gantry.inspector.locator('section', { hasText: 'Critical path of the turn' });
  const bar = path.getByRole('img');
  await expect(bar).toHaveAccessibleName(/^\d.*: Model .* \(\d+ %\), Tools .* \(\d+ %\), You .* \(\d+ %\)/);
  const button = page.getByRole('button', { name: 'Critical path' });
  await expect(button).toHaveAttribute('aria-pressed', 'false');

  await gantry.timeline.select('call_1_4');
  await page.keyboard.press('c');
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(path).toContainText(/is on the critical path\. Without it the turn would have been at most .* shorter/);

  const why = page.getByRole('region', { name: 'Why did it wait?' });
  await expect(why).toContainText(/waited .*: .* held the shared lock\./);
  await expect(why).toContainText(/It waited .* for your answer\./);
  await why.getByRole('button').first().click();
  await expect(gantry.timeline.call('call_1_4')).not.toHaveAttribute('aria-current', 'true');
  await expect(why).toHaveCount(0);
  await gantry.idle();
});
