import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { Usage } from '../../../src-shared/model/event.ts';
import { CLASSIFIER_SYSTEM, classifierAllows, classifierQuestion } from '../../core/permission/classifier-words.ts';
import type { Classifier } from '../../ports/classifier.ts';
import type { ModelProvider, ModelRequest } from '../../ports/model-provider.ts';

/** Longer answers are no answer. */
const MOST_ANSWER = 200;

/**
 * Asks a model about each call with one small request. It is shown the call and what the person asked for, never what
 * tools have answered. Whatever is not the one word that allows asks: more words, a call of a tool, a cut or refused
 * answer. Fails with the provider's `ModelFailure`.
 */
export const modelClassifier = (provider: ModelProvider): Classifier => ({
  name: provider.model,
  classify: async ({ use, world, asked }, signal) => {
    const question = classifierQuestion({ use, cwd: world.cwd, asked });
    if (question === undefined) return { verdict: 'ask', reason: 'the call is too long to be looked at' };
    const { text, usage } = await answerTo(provider, question, signal);
    const spent = usage === undefined ? undefined : { model: provider.model, usage };
    return text !== undefined && classifierAllows(text)
      ? { verdict: 'allow', reason: 'it answered ALLOW', spent }
      : { verdict: 'ask', reason: 'it did not answer ALLOW', spent };
  },
});

type Answered = { readonly text: string | undefined; readonly usage?: Usage };

/**
 * The words of the answer; undefined when it is anything but words that ended well. It is read to its end all the same:
 * what it took is told last.
 */
async function answerTo(provider: ModelProvider, question: string, signal: AbortSignal): Promise<Answered> {
  let text: string | undefined = '';
  for await (const item of provider.stream(requestFor(question), signal)) {
    switch (item.type) {
      case 'text':
        if (text !== undefined) text += item.text;
        if (text !== undefined && text.length > MOST_ANSWER) text = undefined;
        break;
      case 'tool-use':
      case 'broken-tool-use':
        text = undefined;
        break;
      case 'message-ended': {
        const isWell = item.stopReason === 'end-turn' || item.stopReason === 'stop-sequence';
        return { text: isWell ? text : undefined, usage: item.usage };
      }
      default:
    }
  }
  return { text: undefined };
}

const requestFor = (question: string): ModelRequest => ({
  agent: { agentId: MAIN_AGENT, agentType: 'classifier', name: '' },
  system: CLASSIFIER_SYSTEM,
  messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  tools: [],
  stream: false,
});
