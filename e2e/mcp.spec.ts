import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AppLauncher, expect, test } from './app.fixture.ts';
import { living } from './living.ts';
import type { GantryWindow } from './pages/gantry-window.ts';
import { addScenario } from './scenarios.ts';

const projectRoot = resolve(import.meta.dirname, '..');
const everything = join(projectRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const misbehaving = join(projectRoot, 'e2e/tools/mcp-server.mjs');

const servers = {
  everything: { command: process.execPath, args: [everything] },
  train: { command: process.execPath, args: [misbehaving, '--deaf'] },
};

const scenario = {
  name: 'brings-servers',
  title: 'Brings servers',
  prompt: 'Begin.',
  files: { '.mcp.json': JSON.stringify({ mcpServers: servers }, undefined, 2) },
  turns: [
    [{ text: 'Ready.' }],
    [{ tool: 'mcp__everything__echo', input: { message: 'all aboard' }, id: 'echo' }],
    [{ text: 'Echoed.' }],
    [{ tool: 'mcp__train__die', input: {}, id: 'die' }],
    [{ text: 'It is gone.' }],
  ],
};

async function start(launcher: AppLauncher) {
  await addScenario(launcher.home, scenario);
  const started = await launcher.start();
  await started.gantry.startScenario('Brings servers');
  await started.gantry.idle();
  return started;
}

const status = ({ page }: GantryWindow) => page.getByRole('button', { name: /^MCP servers/ });
const panel = ({ page }: GantryWindow) => page.getByRole('region', { name: 'Settings of this folder' });

async function say(gantry: GantryWindow, text: string): Promise<void> {
  await gantry.page.getByRole('textbox', { name: 'Message' }).fill(text);
  await gantry.page.keyboard.press('Enter');
}

/** The programs of this session's servers, by the mark in their environment. */
async function ownServers(launcher: AppLauncher): Promise<readonly number[]> {
  const [sessionId] = [...(await launcher.journals()).keys()];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const isOurs = readFileSync(`/proc/${name}/environ`, 'utf8').includes(`:${sessionId}:mcp-`);
      return isOurs ? [Number(name)] : [];
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return [];
    }
  });
}

test('servers that come with a folder start once it is trusted; their tools are asked for, and one that dies is told', async ({
  launcher,
}) => {
  const { gantry, page } = await start(launcher);
  await expect(panel(gantry)).toContainText(`everything: ${process.execPath} ${everything}`);
  await expect(status(gantry)).toBeHidden();
  expect(await ownServers(launcher)).toEqual([]);

  await panel(gantry).getByRole('button', { name: 'Trust this folder' }).click();
  await expect(panel(gantry)).toBeHidden();
  await say(gantry, 'Echo.');
  await gantry.board.armed();
  await expect(gantry.board.region).toContainText('Run echo of the MCP server everything?');
  await expect(status(gantry)).toHaveText('MCP 2/2');
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('echo', 'ok');
  await expect(gantry.conversation).toContainText('Echoed.');
  await gantry.idle();

  await say(gantry, 'Die.');
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('die', 'error');
  await expect(gantry.conversation).toContainText('The MCP server train is gone. Calls that ran on it have failed.');
  await expect(status(gantry)).toHaveText('MCP 2/2');
  await status(gantry).click();
  const list = page.getByRole('dialog').getByRole('listitem');
  await expect(list).toHaveText([/everything.*connected · \d+ tools · from the folder/, /train.*connected · 16 tools/]);
  await page.keyboard.press('Escape');
  await gantry.idle();
  expect(await ownServers(launcher)).toHaveLength(2);
  const result = (await launcher.journal()).find((event) => event.type === 'call-completed' && event.callId === 'die');
  expect(JSON.stringify(result)).toContain('It ended with exit code 7. It said last: “ready');
});

test('no server outlives the app, killed with -9 or closed', async ({ launcher }) => {
  const { gantry, app } = await start(launcher);
  await panel(gantry).getByRole('button', { name: 'Trust this folder' }).click();
  await say(gantry, 'Echo.');
  await expect(status(gantry)).toHaveText('MCP 2/2');
  const pids = await ownServers(launcher);
  expect(pids).toHaveLength(2);
  const exited = new Promise((done) => app.process().once('exit', done));
  app.process().kill('SIGKILL');
  await exited;
  await expect(() => expect(living(pids)).toEqual([])).toPass({ timeout: 5_000 });

  const second = await launcher.start();
  await second.page.getByRole('navigation', { name: 'Sessions' }).getByText('Brings servers').first().click();
  await second.gantry.timeline.waitForOutcome('echo', 'unknown');
  await expect(status(second.gantry)).toBeHidden();
  await say(second.gantry, 'Go on.');
  await expect(status(second.gantry)).toHaveText('MCP 2/2');
  const again = await ownServers(launcher);
  expect(again).toHaveLength(2);
  await second.app.close();
  expect(living(again)).toEqual([]);
});
