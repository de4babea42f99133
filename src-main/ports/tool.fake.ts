import type { CallShells } from './call-shells.ts';
import type { CallHost } from './tool.ts';

/** A session in which no command can be put into the background. */
const noShells: CallShells = {
  all: [],
  find: () => undefined,
  start: async () => {
    throw new Error('no shells are set for this test');
  },
  read: async () => {
    throw new Error('no shells are set for this test');
  },
  kill: async () => {
    throw new Error('no shells are set for this test');
  },
};

/** A session that lets every file be read, has no agents to run, and keeps its mode. */
export const fakeHost = (over: Partial<CallHost> = {}): CallHost => ({
  mayRead: () => true,
  mayReadAll: () => true,
  runAgent: async () => {
    throw new Error('no agent is set for this test');
  },
  setMode: () => undefined,
  mode: () => 'default',
  shells: noShells,
  conversation: () => [],
  ...over,
});
