import { homedir } from 'node:os';
import { join } from 'node:path';
import { dialog } from 'electron';
import { FailureError } from '../../src-shared/failure.ts';
import type { Handlers, ListedModel, RequestInput } from '../../src-shared/ipc/contract.ts';
import { ModelChoice } from '../../src-shared/model/choice.ts';
import { bytesOfBase64, type MessageImage, MOST_IMAGE_BYTES } from '../../src-shared/model/image.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import type { KeyPlace, KeyStore } from '../ports/key-store.ts';
import type { RecentChoices } from '../ports/recent-choices.ts';

/** What sessions with a model need beside the library. */
export type ModelHandlerDeps = {
  readonly keys: KeyStore;
  readonly recent: RecentChoices;
  /** What the person's own settings say of the model; parts may be missing. */
  readonly defaultModel: () => Partial<ModelChoice>;
  /** @throws FailureError */
  readonly models: (place: KeyPlace) => Promise<readonly ListedModel[]>;
};

type ModelRequests =
  | 'start.options'
  | 'folder.choose'
  | 'session.start'
  | 'session.fork'
  | 'fork.options'
  | 'session.send'
  | 'session.set-model'
  | 'session.rename'
  | 'models.list'
  | 'keys.state'
  | 'keys.set'
  | 'keys.remove';

/** The requests about models, keys and sessions that a model answers in. A key goes in and never comes out. */
export function modelHandlers(library: SessionLibrary, deps: ModelHandlerDeps): Pick<Handlers, ModelRequests> {
  const { keys, recent } = deps;
  return {
    'start.options': async () => startOptions(deps),
    'folder.choose': async ({ from }) => {
      const path = await chooseFolder(from);
      return path === undefined ? {} : { path };
    },
    'session.start': async (input) => {
      checkImages(input.images);
      const cwd = withoutTilde(input.cwd.trim());
      const sessionId = await library.startSession({ ...input, cwd });
      recent.remember({ folder: cwd, model: input.model });
      return { sessionId };
    },
    'session.fork': async (input) => {
      checkImages(input.images);
      const cwd = withoutTilde(input.cwd.trim());
      const sessionId = await library.forkSession({ ...input, cwd });
      recent.remember({ folder: cwd, model: input.model });
      return { sessionId };
    },
    'fork.options': async ({ sessionId }) => library.forkOptions(sessionId),
    'session.send': async ({ sessionId, text, images }) => {
      checkImages(images);
      return { queued: (await library.live(sessionId)).send(text, images) };
    },
    'session.set-model': async ({ sessionId, model }) => {
      await library.setModel(sessionId, model);
      const { cwd } = (await library.live(sessionId)).log.state;
      recent.remember({ folder: cwd, model });
    },
    'session.rename': async ({ sessionId, title }) => (await library.live(sessionId)).rename(title),
    'models.list': async (place) => ({ models: [...(await deps.models(place))] }),
    'keys.state': async (place) => keys.state(place),
    'keys.set': async ({ key, keep, ...place }) => {
      keys.set(place, key, keep);
      return keys.state(place);
    },
    'keys.remove': async (place) => {
      keys.remove(place);
      return keys.state(place);
    },
  };
}

/** What was chosen last counts before the settings: it is the newer word. */
function startOptions({ recent, defaultModel }: ModelHandlerDeps) {
  const { folders, model } = recent.read();
  const configured = ModelChoice.safeParse(defaultModel());
  const proposed = model ?? configured.data;
  return { folders: [...folders], ...(proposed === undefined ? {} : { model: proposed }) };
}

async function chooseFolder(from: string | undefined): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title: 'Choose the folder to work in',
    properties: ['openDirectory', 'createDirectory'],
    ...(from === undefined || from === '' ? {} : { defaultPath: withoutTilde(from) }),
  });
  return canceled ? undefined : filePaths[0];
}

const withoutTilde = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;

/** The schema bounds the letters of a picture; its bytes are what the limit speaks of. */
function checkImages(images: RequestInput<'session.send'>['images']): void {
  for (const { data } of images ?? ([] as readonly MessageImage[])) {
    if (bytesOfBase64(data) <= MOST_IMAGE_BYTES) continue;
    throw new FailureError({
      kind: 'bad-input',
      message: 'A picture is larger than 5 MB.',
      hint: 'Make it smaller, then add it again.',
    });
  }
}
