import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelChoice } from '../../../src-shared/model/choice.ts';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import type { ApiBlock, ApiMessage } from '../../core/conversation/api-message.ts';
import type { ModelRequest } from '../../ports/model-provider.ts';
import { kindOf } from './anthropic-request.ts';
import { leftOut, type Picture, takenPicture } from './pictures.ts';
import { MOST_NAME, wireName } from './wire-names.ts';
import { wireTool } from './wire-tools.ts';

type ToolResult = Extract<ApiBlock, { type: 'tool_result' }>;

/** What a server has refused of the request's settings, found out by asking. */
export type Refused = { readonly usage: boolean; readonly maxTokens: boolean };

/** The request on the wire, without `stream`. Thoughts and blocks of other servers' own kinds are left out. */
export function openAiBody(
  request: ModelRequest,
  settings: Pick<ModelChoice, 'model' | 'maxTokens'>,
  refused: Refused,
): Omit<ChatCompletionCreateParams, 'stream'> {
  const { model, maxTokens } = settings;
  const system: ChatCompletionMessageParam[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  return {
    model,
    messages: [...system, ...request.messages.flatMap(messagesOf)],
    ...(request.tools.length === 0 ? {} : { tools: toolsOf(request.tools) }),
    ...(request.stream && !refused.usage ? { stream_options: { include_usage: true } } : {}),
    // Servers on one's own machine know the old name only, OpenAI's newest models the new one only.
    ...(maxTokens === undefined
      ? {}
      : refused.maxTokens
        ? { max_completion_tokens: maxTokens }
        : { max_tokens: maxTokens }),
  };
}

function toolsOf(tools: ModelRequest['tools']): NonNullable<ChatCompletionCreateParams['tools']> {
  return tools.map((tool) => {
    const { description, schema } = wireTool(tool);
    return { type: 'function', function: { name: tool.name, description, parameters: { ...schema } } };
  });
}

const messagesOf = (message: ApiMessage): readonly ChatCompletionMessageParam[] =>
  message.role === 'assistant' ? assistantMessage(message.content) : userMessages(message.content);

function assistantMessage(blocks: readonly ApiBlock[]): readonly ChatCompletionMessageParam[] {
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: block.id,
            type: 'function' as const,
            function: { name: wireName(block.name, MOST_NAME.chat), arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  if (text === '' && calls.length === 0) return [];
  return [
    { role: 'assistant', content: text === '' ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
  ];
}

/** Results first, each a message of its own; then what a person says, and the pictures of results, which no result can hold. */
function userMessages(blocks: readonly ApiBlock[]): readonly ChatCompletionMessageParam[] {
  const results = blocks.filter((block) => block.type === 'tool_result');
  const parts: ChatCompletionContentPart[] = [
    ...results.flatMap(picturesOf),
    ...blocks.flatMap((block): readonly ChatCompletionContentPart[] => {
      if (block.type === 'text') return [{ type: 'text', text: block.text }];
      return block.type === 'image' ? [imagePart(block)] : [];
    }),
  ];
  return [
    ...results.map((result) => ({
      role: 'tool' as const,
      tool_call_id: result.tool_use_id,
      content: wordsOf(result),
    })),
    ...(parts.length === 0 ? [] : [{ role: 'user' as const, content: joined(parts) }]),
  ];
}

const wordsOf = ({ content }: ToolResult): string => content.map(partWords).join('\n');

function partWords(part: ContentBlock): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'other') return `[a part that cannot be shown: ${kindOf(part.raw)}]`;
  return takenPicture(part) === undefined ? leftOut(part) : '[a picture, in the next message]';
}

function picturesOf({ tool_use_id, content }: ToolResult): readonly ChatCompletionContentPart[] {
  const pictures = content.filter((part) => part.type === 'image' && takenPicture(part) !== undefined) as Picture[];
  if (pictures.length === 0) return [];
  return [{ type: 'text', text: `From the result of ${tool_use_id}:` }, ...pictures.map(imagePart)];
}

function imagePart(picture: Picture): ChatCompletionContentPart {
  const taken = takenPicture(picture);
  if (taken === undefined) return { type: 'text', text: leftOut(picture) };
  return { type: 'image_url', image_url: { url: `data:${taken.mediaType};base64,${taken.data}` } };
}

/** Words alone go as one text: not every server takes lists. */
const joined = (parts: readonly ChatCompletionContentPart[]): string | ChatCompletionContentPart[] =>
  parts.every((part) => part.type === 'text') ? parts.map((part) => part.text).join('\n\n') : [...parts];
