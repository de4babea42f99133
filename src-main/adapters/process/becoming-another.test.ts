import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MARKER_VARIABLE } from '../../ports/process-protocol.ts';
import { linuxProcessTable } from './linux-process-table.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-exec-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.runIf(process.platform === 'linux')(
  'a process that is just becoming another program is still known by its mark',
  async () => {
    const script = join(folder, 'again.sh');
    writeFileSync(script, '[ "$1" = 0 ] && exec sleep 1000\nexec sh "$0" $(($1 - 1))\n');
    const marker = `test.exec.${process.pid}`;
    const env = { PATH: process.env.PATH ?? '', [MARKER_VARIABLE]: marker };
    const child = spawn('sh', [script, '300'], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    try {
      const table = linuxProcessTable();
      const looks: boolean[] = [];
      let isDone = false;
      while (!isDone && looks.length < 2_000) {
        const found = (await table.members({ marker })).find(({ pid }) => pid === child.pid);
        looks.push(found !== undefined);
        isDone = found?.command === 'sleep 1000';
      }
      expect(looks).not.toContain(false);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  },
);
