import type { CallHost } from './tool.ts';

/** A session that lets every file be read, has no agents to run, and keeps its mode. */
export const fakeHost = (over: Partial<CallHost> = {}): CallHost => ({
  mayRead: () => true,
  runAgent: async () => {
    throw new Error('no agent is set for this test');
  },
  setMode: () => undefined,
  mode: () => 'default',
  conversation: () => [],
  ...over,
});
