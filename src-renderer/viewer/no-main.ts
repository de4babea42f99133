import type { Failure } from '../../src-shared/failure.ts';
import type { PreloadBridge } from '../../src-shared/ipc/contract.ts';
import { err, ok, type Result } from '../../src-shared/result.ts';

/** Words for what only the app can do. */
const ONLY_IN_GANTRY: Readonly<Record<string, string>> = {
  'output.read': 'The whole output is not part of this file.',
  'output.search': 'The whole output is not part of this file.',
  'output.reveal': 'The whole output is not part of this file.',
  'session.findings': 'Findings are not part of this file.',
};

/** Answers what components ask main, on a page that has none. */
export const noMain: PreloadBridge = {
  async invoke(name, input): Promise<Result<unknown, Failure>> {
    if (name === 'clipboard.write') {
      await navigator.clipboard.writeText((input as { readonly text: string }).text);
      return ok(undefined);
    }
    if (name === 'link.open') {
      const { url } = input as { readonly url: string };
      return ok({ opened: /^https?:/.test(url) && window.open(url, '_blank', 'noopener,noreferrer') !== null });
    }
    return err({ kind: 'unsupported', message: ONLY_IN_GANTRY[name] ?? 'This works in Gantry only.' });
  },
  on: () => () => undefined,
  pathOf: () => '',
};
