import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';

export type NetworkProvider = 'anthropic' | 'openai-compatible';

/** What is typed for one provider; kept when the other one is looked at. */
export type ServerDraft = { readonly address: string; readonly model: string };

/** The dialog as it is filled in. Numbers are texts until they are read. */
export type Form = {
  readonly folder: string;
  readonly provider: NetworkProvider;
  readonly servers: Readonly<Record<NetworkProvider, ServerDraft>>;
  readonly maxTokens: string;
  readonly thinkingTokens: string;
  readonly contextWindow: string;
  readonly prompt: string;
  readonly mode: PermissionMode;
};

export const EMPTY_FORM: Form = {
  folder: '',
  provider: 'anthropic',
  servers: { anthropic: { address: '', model: '' }, 'openai-compatible': { address: '', model: '' } },
  maxTokens: '',
  thinkingTokens: '',
  contextWindow: '',
  prompt: '',
  mode: 'default',
};

export const PROVIDER_NAMES: Readonly<Record<NetworkProvider, string>> = {
  anthropic: 'Anthropic',
  'openai-compatible': 'OpenAI-compatible',
};

/** The provider's own server, which an empty address means. */
export const OWN_ADDRESS: Readonly<Record<NetworkProvider, string>> = {
  anthropic: 'https://api.anthropic.com',
  'openai-compatible': 'https://api.openai.com/v1',
};

/** Servers that people run on their own machine, with the address they have unless it was changed. */
export const LOCAL_SERVERS: readonly { readonly name: string; readonly address: string }[] = [
  { name: 'Ollama', address: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', address: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', address: 'http://127.0.0.1:8080/v1' },
  { name: 'vLLM', address: 'http://127.0.0.1:8000/v1' },
];

export const serverOf = (form: Form): ServerDraft => form.servers[form.provider];

export const withServer = (form: Form, change: Partial<ServerDraft>): Form => ({
  ...form,
  servers: { ...form.servers, [form.provider]: { ...serverOf(form), ...change } },
});

/** The form with another choice of a model; the rest stays. */
export function withChoice(form: Form, choice: ModelChoice): Form {
  if (choice.provider === 'scripted') return form;
  const text = (value: number | undefined): string => (value === undefined ? '' : String(value));
  return {
    ...form,
    provider: choice.provider,
    servers: { ...form.servers, [choice.provider]: { address: choice.baseUrl ?? '', model: choice.model } },
    maxTokens: text(choice.maxTokens),
    thinkingTokens: text(choice.thinkingTokens),
    contextWindow: text(choice.contextWindow),
  };
}

/** The server that is meant, for questions about keys and models. */
export function placeOf(form: Form): { readonly provider: NetworkProvider; readonly baseUrl?: string } {
  const address = serverOf(form).address.trim();
  return { provider: form.provider, ...(address === '' ? {} : { baseUrl: address }) };
}

export type FieldName = 'folder' | 'address' | 'model' | 'maxTokens' | 'thinkingTokens' | 'contextWindow';
export type Problems = Partial<Record<FieldName, string>>;

/** What keeps the form from being used, by field; empty when nothing does. */
export function problemsOf(form: Form, isNew: boolean): Problems {
  const { address, model } = serverOf(form);
  const problems: Problems = {};
  if (isNew && form.folder.trim() === '') problems.folder = 'Choose the folder to work in.';
  if (address.trim() !== '' && !isWebAddress(address.trim())) {
    problems.address = 'Write it with http:// or https://, for example http://127.0.0.1:11434/v1.';
  }
  if (model.trim() === '') problems.model = 'Choose a model, or type its name.';
  for (const field of NUMBERS) {
    if (numberIn(form[field]) === 'wrong') problems[field] = 'A whole number over 0, or nothing.';
  }
  return problems;
}

const NUMBERS = ['maxTokens', 'thinkingTokens', 'contextWindow'] as const;

/** @throws Error when the form has problems. */
export function choiceOf(form: Form): ModelChoice {
  const { model } = serverOf(form);
  const numbers = NUMBERS.flatMap((field) => {
    const number = numberIn(form[field]);
    if (number === 'wrong') throw new Error(`${field} is no number`);
    return number === undefined ? [] : [[field, number] as const];
  });
  return { ...placeOf(form), model: model.trim(), ...Object.fromEntries(numbers) };
}

/** `8000`, `8,000` and `8 000` are meant alike. */
function numberIn(text: string): number | 'wrong' | undefined {
  const digits = text.replace(/[\s,_.]/g, '');
  if (digits === '') return text.trim() === '' ? undefined : 'wrong';
  const number = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return number > 0 ? number : 'wrong';
}

function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol } = new URL(address);
  return protocol === 'http:' || protocol === 'https:';
}
