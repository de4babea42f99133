import { z } from 'zod';

/** The kinds of pictures that servers of models take. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** The most bytes of one picture, as a file: what the Messages API takes. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

/** The most pictures of one message: together they stay below what a request may have. */
export const MOST_IMAGES = 5;

/** A picture that a person has put into a message. `data` is base64 without line breaks. */
export const MessageImage = z.object({
  mediaType: z.enum(IMAGE_TYPES),
  data: z
    .string()
    .min(4)
    .max(Math.ceil(MOST_IMAGE_BYTES / 3) * 4)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
});
export type MessageImage = z.output<typeof MessageImage>;

export const MessageImages = z.array(MessageImage).min(1).max(MOST_IMAGES);

/** Bytes of the file that this base64 text stands for. */
export const bytesOfBase64 = (data: string): number =>
  (data.length / 4) * 3 - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
