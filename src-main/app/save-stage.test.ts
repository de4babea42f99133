import { expect, test } from 'vitest';
import { quiet } from './testing/bench.ts';
import { begins, ends, uses } from './testing/hand-model.ts';
import { SessionBench } from './testing/session-bench.ts';

test('a result over what settings say of its tool goes to disk; other tools keep the general threshold', async () => {
  const bench = new SessionBench({ settings: { maxResultChars: { Look: 20 }, saveThreshold: 1_000 } });
  await bench.send('Hello');
  await bench.model.now.send(begins('m1'), uses('a', 'Look'), uses('b', 'Look'), uses('c', 'Change'), ends('tool-use'));
  bench.tools.call('a').end('x'.repeat(21));
  bench.tools.call('b').end('x'.repeat(20));
  await quiet();
  bench.tools.call('c').end('x'.repeat(21));
  await quiet();
  expect(bench.all('result-saved').map(({ callId, limit }) => [callId, limit])).toEqual([['a', 20]]);
});
