import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import { IMAGE_TYPES, type MessageImage, MOST_IMAGE_BYTES, MOST_IMAGES } from '../../src-shared/model/image.ts';

/** Pictures that will go with the message that is written, by session. They live as long as the window. */
export const draftImageStore = createStore<Readonly<Record<SessionId, readonly MessageImage[]>>>(() => ({}));

const NONE: readonly MessageImage[] = [];
export const draftImagesOf = (sessionId: SessionId): readonly MessageImage[] =>
  draftImageStore.getState()[sessionId] ?? NONE;

export const setDraftImages = (sessionId: SessionId, images: readonly MessageImage[]): void =>
  draftImageStore.setState({ [sessionId]: images });

const typeOf = (type: string): MessageImage['mediaType'] | undefined => IMAGE_TYPES.find((known) => known === type);

/** Is it a picture that a message can carry? By what the system says of it. */
export const isImageType = (type: string): boolean => typeOf(type) !== undefined;

/** Adds pictures to the message that is written. Gives the sentence to say where some could not be added. */
export async function addDraftImages(sessionId: SessionId, files: readonly File[]): Promise<string | undefined> {
  const refused: string[] = [];
  const added: MessageImage[] = [];
  for (const file of files) {
    const mediaType = typeOf(file.type);
    if (mediaType === undefined) refused.push(`${nameOf(file)} is no PNG, JPEG, GIF or WebP picture.`);
    else if (file.size > MOST_IMAGE_BYTES) refused.push(`${nameOf(file)} is larger than 5 MB.`);
    else if (file.size === 0) refused.push(`${nameOf(file)} is empty.`);
    else added.push({ mediaType, data: base64(new Uint8Array(await file.arrayBuffer())) });
  }
  const all = [...draftImagesOf(sessionId), ...added];
  if (all.length > MOST_IMAGES) refused.push(`A message can have ${MOST_IMAGES} pictures.`);
  setDraftImages(sessionId, all.slice(0, MOST_IMAGES));
  return refused.length === 0 ? undefined : refused.join(' ');
}

/** What is pasted has no name worth telling. */
const nameOf = (file: File): string => (file.name === '' || file.name === 'image.png' ? 'The picture' : file.name);

/** In pieces: a call with a million arguments would overflow the stack. */
function base64(bytes: Uint8Array): string {
  const PIECE = 32_768;
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary);
}
