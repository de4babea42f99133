import { MAIN_AGENT } from '../../../src-shared/ids.ts';
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
    const answer = await answerTo(provider, question, signal);
    return answer !== undefined && classifierAllows(answer)
      ? { verdict: 'allow', reason: 'it answered ALLOW' }
      : { verdict: 'ask', reason: 'it did not answer ALLOW' };
  },
});

/** The words of the answer; undefined when it is anything but words that ended well. */
async function answerTo(provider: ModelProvider, question: string, signal: AbortSignal): Promise<string | undefined> {
  let answer = '';
  for await (const item of provider.stream(requestFor(question), signal)) {
    switch (item.type) {
      case 'text':
        answer += item.text;
        if (answer.length > MOST_ANSWER) return undefined;
        break;
      case 'tool-use':
      case 'broken-tool-use':
        return undefined;
      case 'message-ended':
        return item.stopReason === 'end-turn' || item.stopReason === 'stop-sequence' ? answer : undefined;
      default:
    }
  }
  return undefined;
}

const requestFor = (question: string): ModelRequest => ({
  agent: { agentId: MAIN_AGENT, agentType: 'classifier', name: '' },
  system: CLASSIFIER_SYSTEM,
  messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  tools: [],
  stream: false,
});
