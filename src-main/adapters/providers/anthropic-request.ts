import type {
  ContentBlockParam,
  MessageCreateParams,
  MessageParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelChoice } from '../../../src-shared/model/choice.ts';
import { claudeThinking, mostOutputTokens } from '../../../src-shared/model/prices.ts';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import { type ApiBlock, type ApiMessage, isThought } from '../../core/conversation/api-message.ts';
import type { ModelRequest } from '../../ports/model-provider.ts';
import { leftOut, type Picture, takenPicture } from './pictures.ts';
import { MOST_NAME, wireId, wireName } from './wire-names.ts';
import { FIELD_OF_ANTHROPIC, wireTool } from './wire-tools.ts';

/** What the servers take least. */
const LEAST_THINKING_TOKENS = 1_024;
/** The mark up to which the server keeps what it has read. At most four of them in a request. */
const CACHE = { cache_control: { type: 'ephemeral' } } as const;

export type Settings = Pick<ModelChoice, 'model' | 'maxTokens' | 'thinkingTokens'>;

/**
 * The request on the wire, without `stream`. Cache marks stand at the end of the tools, of the system prompt and of the
 * last message; nothing else of a message changes from one request to the next.
 *
 * @param withThoughts false leaves all thoughts out, for a server that has refused those of this conversation.
 */
export function anthropicBody(
  request: ModelRequest,
  settings: Settings,
  withThoughts = true,
): Omit<MessageCreateParams, 'stream'> {
  const { model } = settings;
  const thinking = thinkingOf(settings);
  const asked = settings.maxTokens ?? mostOutputTokens(model);
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : 0;
  return {
    model,
    // What is thought counts as answer, and has to leave room for one.
    max_tokens: asked > budget ? asked : asked + budget,
    ...(request.system === '' ? {} : { system: [{ type: 'text', text: request.system, ...CACHE }] }),
    messages: markLast(request.messages.flatMap((message) => messageOf(message, withThoughts))),
    ...(request.tools.length === 0 ? {} : { tools: toolsOf(request.tools) }),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

function thinkingOf({ model, thinkingTokens }: Settings): MessageCreateParams['thinking'] {
  const how = claudeThinking(model);
  // Those that think by themselves would keep it to themselves otherwise.
  if (how === 'by-itself') return { type: 'adaptive', display: 'summarized' };
  if (thinkingTokens === undefined) return undefined;
  if (how === 'adaptive') return { type: 'adaptive', display: 'summarized' };
  return { type: 'enabled', budget_tokens: Math.max(LEAST_THINKING_TOKENS, thinkingTokens) };
}

function toolsOf(tools: ModelRequest['tools']): NonNullable<MessageCreateParams['tools']> {
  return tools.map((tool, at) => {
    const { description, schema } = wireTool(tool, FIELD_OF_ANTHROPIC);
    const input_schema = schema as { type: 'object' };
    return { name: tool.name, description, input_schema, ...(at === tools.length - 1 ? CACHE : {}) };
  });
}

/** The end of the last message, which is a user's. */
function markLast(messages: readonly MessageParam[]): MessageParam[] {
  const last = messages.at(-1);
  if (last === undefined || typeof last.content === 'string') return [...messages];
  const end = last.content.at(-1);
  if (end === undefined || last.role !== 'user') return [...messages];
  const marked = { ...end, ...CACHE } as ContentBlockParam;
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), marked] }];
}

/** None where nothing of the message is left. */
function messageOf({ role, content }: ApiMessage, withThoughts: boolean): readonly MessageParam[] {
  const kept = withThoughts ? content : content.filter((block) => !isThought(block));
  if (kept.length === 0) return [];
  const blocks = kept.map(blockOf);
  const pictures = kept.flatMap(picturesOfFailed);
  // Behind the last result, so that what is added to the message later on comes behind them.
  if (pictures.length > 0)
    blocks.splice(blocks.findLastIndex(({ type }) => type === 'tool_result') + 1, 0, ...pictures);
  return [{ role, content: blocks }];
}

/** The result of a call that failed may hold nothing but words. */
function picturesOfFailed(block: ApiBlock): readonly ContentBlockParam[] {
  if (block.type !== 'tool_result' || !block.is_error) return [];
  const pictures = block.content.filter((part) => part.type === 'image');
  if (pictures.length === 0) return [];
  return [{ type: 'text', text: `From the result of ${wireId(block.tool_use_id)}:` }, ...pictures.map(imageOf)];
}

function blockOf(block: ApiBlock): ContentBlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return imageOf(block);
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: block.signature };
    case 'other':
      return block.raw as ContentBlockParam;
    case 'tool_use':
      return {
        type: 'tool_use',
        id: wireId(block.id),
        name: wireName(block.name, MOST_NAME.anthropic),
        input: block.input,
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: wireId(block.tool_use_id),
        content: block.content.flatMap((part) => (block.is_error && part.type === 'image' ? [] : resultPart(part))),
        is_error: block.is_error,
      };
  }
}

type ResultPart = Exclude<ToolResultBlockParam['content'], string | undefined>[number];

function resultPart(part: ContentBlock): readonly ResultPart[] {
  switch (part.type) {
    case 'text':
      // Servers refuse a text without letters.
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'image':
      return [imageOf(part)];
    case 'other':
      return [{ type: 'text', text: `[a part that cannot be shown: ${kindOf(part.raw)}]` }];
  }
}

/** Of a part of a result that is neither words nor a picture. */
export const kindOf = (raw: unknown): string => {
  const type = (raw as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' ? type : 'unknown';
};

function imageOf(picture: Picture) {
  const taken = takenPicture(picture);
  if (taken === undefined) return { type: 'text', text: leftOut(picture) } as const;
  const source = { type: 'base64', media_type: taken.mediaType as 'image/png', data: taken.data } as const;
  return { type: 'image', source } as const;
}
