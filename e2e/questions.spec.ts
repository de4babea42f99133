import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scenario } from '../src-shared/scenario/scenario.ts';
import { type AppLauncher, expect, test } from './app.fixture.ts';
import { addScenario } from './scenarios.ts';

const todo = (content: string, status: string) => ({ content, status });

/** Todos, then two questions of one call, then the todos as they are at the end. */
const questions: Scenario & { title: string } = {
  name: 'asks-twice',
  title: 'Asks twice',
  prompt: 'Keep carts over night.',
  turns: [
    [
      {
        tool: 'TodoWrite',
        id: 'plan',
        input: {
          todos: [
            todo('Read the cart', 'completed'),
            { ...todo('Choose a store', 'in_progress'), activeForm: 'Choosing a store' },
            todo('Write it', 'pending'),
          ],
        },
      },
    ],
    [
      {
        tool: 'AskUserQuestion',
        id: 'ask',
        input: {
          questions: [
            {
              question: 'Where should the carts be kept?',
              header: 'Store',
              options: [
                { label: 'SQLite', description: 'One file, no server. Enough for some thousand carts a day.' },
                { label: 'Postgres', description: 'The shop has one for orders already.' },
              ],
            },
            {
              question: 'What should come with the change?',
              header: 'Extras',
              multiSelect: true,
              options: [
                { label: 'Tests' },
                { label: 'A page in the docs' },
                { label: 'A migration of old carts', description: 'Runs once, at the next start.' },
              ],
            },
          ],
        },
      },
    ],
    [
      { text: 'Then SQLite.' },
      {
        tool: 'TodoWrite',
        id: 'done',
        input: { todos: [todo('Read the cart', 'completed'), todo('Choose a store', 'completed')] },
      },
    ],
    [{ text: 'Done.' }],
  ],
};

const PLAN =
  '# Keep carts over night\n1. Add `CartStore` with one table.\n2. Let `cart.js` use it.\n\nNothing changes for orders.';
const planned: Scenario & { title: string } = {
  name: 'plans',
  title: 'Plans first',
  prompt: 'Plan how to keep carts.',
  files: { 'cart.js': 'export const carts = new Map();\n' },
  turns: [
    [{ tool: 'Write', id: 'early', input: { file_path: 'store.js', content: 'too early\n' } }],
    [{ tool: 'ExitPlanMode', id: 'exit', input: { plan: PLAN } }],
    [{ tool: 'Write', id: 'write', input: { file_path: 'store.js', content: 'export class CartStore {}\n' } }],
    [{ text: 'Done.' }],
  ],
};

async function startInPlanMode(launcher: AppLauncher): Promise<void> {
  await addScenario(launcher.home, planned);
  await mkdir(join(launcher.home, 'claude'), { recursive: true });
  await writeFile(join(launcher.home, 'claude', 'settings.json'), '{ "permissions": { "defaultMode": "plan" } }');
}

test('two questions are answered with the keyboard, and the todos are shown as they change', async ({ launcher }) => {
  await addScenario(launcher.home, questions);
  const { gantry, page } = await launcher.start();
  await gantry.startScenario('Asks twice');
  await gantry.board.armed();
  const todos = page.getByRole('button', { name: /^Todos,/ });
  await expect(todos).toHaveText('Todos 1/3');
  await expect(gantry.board.region).toContainText('Where should the carts be kept?');
  await page.keyboard.press('1');
  await expect(page.getByRole('radio', { name: /^SQLite/ })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(gantry.board.region).toContainText('What should come with the change?');
  await gantry.board.armed();
  await page.keyboard.press('1');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox', { name: /^A migration/ })).toBeChecked();
  await page.keyboard.press('Enter');
  await gantry.timeline.waitForOutcome('ask', 'ok');
  await gantry.idle();
  const ended = (await launcher.journal()).find((event) => event.type === 'call-completed' && event.callId === 'ask');
  expect(JSON.stringify(ended)).toContain(
    'Where should the carts be kept? → SQLite\\n- What should come with the change? → Tests, A migration of old carts',
  );
  await expect(todos).toHaveText('Todos 2/2');
  await todos.click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([
    'Read the cart, done',
    'Choose a store, done',
  ]);
});

test('typing elsewhere chooses and answers nothing', async ({ launcher }) => {
  await addScenario(launcher.home, questions);
  const { gantry, page } = await launcher.start();
  await gantry.startScenario('Asks twice');
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.click();
  await gantry.board.armed();
  await page.keyboard.type('1 d 2');
  await expect(message).toHaveValue('1 d 2');
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await page.getByRole('radio', { name: /^Postgres/ }).click();
  await gantry.board.button('Next question').click();
  await gantry.board.armed();
  await page.getByRole('textbox', { name: 'Answer in your own words' }).fill('Only tests');
  await page.keyboard.press('Enter');
  await gantry.timeline.waitForOutcome('ask', 'ok');
  const changed = (await launcher.journal()).find((event) => event.type === 'call-input-changed');
  expect(changed).toMatchObject({
    by: 'user',
    input: {
      answers: {
        'Where should the carts be kept?': 'Postgres',
        'What should come with the change?': 'Only tests',
      },
    },
  });
});

test('an approved plan changes the mode: what was denied before now runs', async ({ launcher }) => {
  await startInPlanMode(launcher);
  const { gantry } = await launcher.start();
  await gantry.startScenario('Plans first');
  await gantry.timeline.waitForOutcome('early', 'denied');
  await gantry.board.armed();
  await expect(gantry.board.region.getByRole('heading', { name: 'Keep carts over night' })).toBeVisible();
  await gantry.board.button('Go on, accept edits').click();
  await gantry.timeline.waitForOutcome('write', 'ok');
  await gantry.idle();
  const events = await launcher.journal();
  expect(events.filter((event) => event.type === 'mode-changed')).toMatchObject([{ mode: 'acceptEdits' }]);
  expect(events.filter((event) => event.type === 'permission-asked').map((event) => event.callId)).toEqual(['exit']);
});

test('a plan that is sent back leaves the mode as it is', async ({ launcher }) => {
  await startInPlanMode(launcher);
  const { gantry, page } = await launcher.start();
  await gantry.startScenario('Plans first');
  await gantry.board.armed();
  await page.getByRole('textbox', { name: 'What should be different' }).fill('Keep it in a file.');
  await gantry.board.button('Keep planning').click();
  await gantry.timeline.waitForOutcome('exit', 'rejected');
  await gantry.timeline.waitForOutcome('write', 'denied');
  await gantry.idle();
  const events = await launcher.journal();
  expect(events.filter((event) => event.type === 'mode-changed')).toEqual([]);
  const ended = events.find((event) => event.type === 'call-completed' && event.callId === 'exit');
  expect(JSON.stringify(ended)).toContain('Keep it in a file.');
});
