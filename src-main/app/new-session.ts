import { FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { MessageImage } from '../../src-shared/model/image.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import type { ForkPoint } from '../core/fork/copied-history.ts';
import { ModelFailure, type ModelProvider } from '../ports/model-provider.ts';

/** A session that a person starts with a model. */
export type NewSession = {
  /** Absolute. */
  readonly cwd: string;
  readonly model: ModelChoice;
  /** Its first message; without one the session waits. */
  readonly prompt?: string | undefined;
  readonly images?: readonly MessageImage[] | undefined;
  readonly mode?: PermissionMode | undefined;
};

/** A session that goes on from another one. */
export type Fork = NewSession & ForkPoint & { readonly sessionId: SessionId };

/** A choice that cannot be (an address that is none) must not keep a session from being opened: its requests fail. */
export function orFailing(choice: ModelChoice, providerFor: (choice: ModelChoice) => ModelProvider): ModelProvider {
  try {
    return providerFor(choice);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { message } = error.failure;
    return {
      name: choice.provider,
      model: choice.model,
      // biome-ignore lint/correctness/useYield: there is nothing to give but the failure.
      async *stream() {
        throw new ModelFailure('bad-request', message, { retry: false });
      },
    };
  }
}
