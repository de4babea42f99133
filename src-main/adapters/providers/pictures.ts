import { imageTypeOf } from '../../core/images/image-facts.ts';

export type Picture = { readonly mediaType: string; readonly data: string };

/** So many characters of base64 hold the first bytes, by which a picture is known. */
const HEAD_CHARACTERS = 24;

/**
 * A picture with the type that its bytes have, which is not always what a tool or a recording says. Undefined for what no
 * model takes: one such picture would have the whole conversation refused from then on.
 */
export function takenPicture({ data }: Picture): Picture | undefined {
  const mediaType = imageTypeOf(Buffer.from(data.slice(0, HEAD_CHARACTERS), 'base64'));
  return mediaType === undefined ? undefined : { mediaType, data };
}

/** Stands in the place of one that no model takes. */
export const leftOut = ({ mediaType }: Picture): string => `[a picture that cannot be shown: ${mediaType}]`;
