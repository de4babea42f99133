import type { LibraryPlaces } from '../../src-shared/library/view.ts';
import type { VaultOverview, VaultStatus } from '../../src-shared/vault/view.ts';

/* A vault of a made-up shop, for tests and the component gallery. */

export const sampleStatus: VaultStatus = {
  programs: [
    { program: 'claude-code', sessions: 4_104, files: 9_312, bytes: 1_900_000_000 },
    { program: 'codex', sessions: 312, files: 312, bytes: 210_000_000 },
    { program: 'gantry', sessions: 73, files: 402, bytes: 80_000_000 },
    { program: 'folders', sessions: 12, files: 40, bytes: 1_200_000 },
  ],
  sessions: 4_501,
  files: 10_066,
  bytes: 2_191_200_000,
  older: { files: 31, bytes: 12_400_000 },
  gone: 950,
  waiting: { files: 12, bytes: 3_400_000 },
  leftOut: ['/home/mira/.local/share/opencode/opencode.db'],
  lastRun: {
    at: Date.UTC(2026, 0, 2, 3, 4),
    endedAt: Date.UTC(2026, 0, 2, 3, 5),
    files: 14,
    bytes: 2_500_000,
    problems: 1,
    stopped: false,
  },
};

export const sampleVault: VaultOverview = {
  folder: '/media/mira/archive/transcripts',
  whileRunning: true,
  state: { kind: 'idle' },
  status: sampleStatus,
};

export const samplePlaces: LibraryPlaces = {
  otherPrograms: true,
  programs: [
    { format: 'claude-code', on: true, places: [{ folder: '/home/mira/.claude/projects', there: true, count: 4_906 }] },
    {
      format: 'codex',
      on: false,
      places: [
        { folder: '/home/mira/.codex/sessions', there: true, count: 300 },
        { folder: '/home/mira/.codex/archived_sessions', there: true, count: 12 },
      ],
    },
  ],
  added: [
    { folder: '/mnt/laptop/.claude/projects', there: true, count: 840 },
    { folder: '/media/mira/old', there: false, count: 0 },
  ],
};
