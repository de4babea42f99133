import { createStore } from 'zustand/vanilla';
import { request } from '../bridge.ts';
import { EMPTY_FORM, type Form, withChoice } from './form.ts';

export type FormView = {
  readonly form: Form;
  /** Folders used lately, newest first. */
  readonly folders: readonly string[];
  /** The last choices have been filled in; what the person has typed since is not written over. */
  readonly isReady: boolean;
};

export const formStore = createStore<FormView>(() => ({ form: EMPTY_FORM, folders: [], isReady: false }));

export const changeForm = (change: Partial<Form>): void =>
  formStore.setState(({ form }) => ({ form: { ...form, ...change } }));

/** Fills in what was chosen last, the first time; later only the folders are asked anew. */
export async function prepareForm(): Promise<void> {
  const { folders, model } = await request('start.options', undefined);
  formStore.setState(({ form, isReady }) => {
    if (isReady) return { folders };
    const filled = model === undefined ? form : withChoice(form, model);
    return { folders, isReady: true, form: { ...filled, folder: form.folder || (folders[0] ?? '') } };
  });
}

/** A session has begun: the next one has another message to start with. */
export const messageUsed = (): void => changeForm({ prompt: '' });
