import type { KeyState } from '../../src-shared/model/key-state.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { KeyField } from './KeyField.tsx';
import type { KeyView } from './server.ts';

const view = (state: Partial<KeyState>, problem?: string): KeyView => ({
  state: { from: 'none', isOptional: false, protection: 'system', ...state },
  problem: problem === undefined ? undefined : { message: problem, hint: undefined },
  keep: async () => true,
  forget: async () => undefined,
});

const show = (state: Partial<KeyState>, problem?: string) => () => <KeyField view={view(state, problem)} />;

export const gallery: GalleryPage = [
  { title: 'None yet', width: 520, show: show({}) },
  { title: 'No keyring', width: 520, show: show({ protection: 'weak' }) },
  {
    title: 'A variable that is not for this address',
    width: 520,
    show: show({ protection: 'none', unusedVariable: 'OPENAI_API_KEY' }),
  },
  { title: 'None needed', width: 520, show: show({ isOptional: true }) },
  { title: 'From the environment', width: 520, show: show({ from: 'environment', variable: 'ANTHROPIC_API_KEY' }) },
  { title: 'Kept', width: 520, show: show({ from: 'stored' }) },
  { title: 'Kept, and it could not be forgotten', width: 520, show: show({ from: 'this-run' }, 'The disk is full.') },
];
