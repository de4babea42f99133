/** A block of a message, ours or as it goes over the wire: both name what is looked at here in the same way. */
type Block = { readonly type: string; readonly [field: string]: unknown };
export type RequestMessage = { readonly role: string; readonly content: readonly Block[] | string };

/**
 * What the Messages API would refuse of a conversation: roles that do not alternate or do not begin with the user, a
 * `tool_use` without exactly one `tool_result` in the very next message, results that do not stand first and in the order
 * of the calls, ids that are unknown or used twice, text without letters, thoughts without their signature or at the end
 * of a message. Works on our own messages and on those of the wire. An empty list is a conversation that can go on.
 */
export function faultsOfRequest(messages: readonly RequestMessage[]): readonly string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  if (messages[0] !== undefined && messages[0].role !== 'user') faults.push('the first message is not the user’s');
  for (const [at, message] of messages.entries()) {
    const say = (fault: string): void => void faults.push(`message ${at} ${fault}`);
    if (message.role !== 'user' && message.role !== 'assistant') say(`has the role ${message.role}`);
    if (message.role === messages[at - 1]?.role) say('has the role of the one before');
    for (const fault of faultsOfBlocks(message)) say(fault);
    for (const id of idsOf(message, 'tool_use', 'id')) {
      if (seen.has(id)) say(`uses the id ${id} again`);
      seen.add(id);
    }
    for (const fault of faultsOfResults(message, messages[at - 1])) say(fault);
    const isLast = at === messages.length - 1;
    const open = idsOf(message, 'tool_use', 'id');
    if (isLast && open.length > 0) say(`uses ${open.join()} and is not answered`);
  }
  return faults;
}

function faultsOfBlocks({ role, content }: RequestMessage): readonly string[] {
  if (typeof content === 'string') return content.trim() === '' ? ['is empty'] : [];
  if (content.length === 0) return ['is empty'];
  const end = role === 'assistant' && isThought(content.at(-1)) ? ['ends with a thought'] : [];
  const faults = content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return isBlank(block.text) ? ['has a text without letters'] : [];
      case 'thinking':
        return isBlank(block.signature) ? ['has a thought without its signature'] : onlyOf('assistant', role, block);
      case 'tool_use':
        return isObject(block.input) ? onlyOf('assistant', role, block) : [`has a call without an object for input`];
      case 'tool_result':
        return [...onlyOf('user', role, block), ...faultsOfParts(block.content)];
      case 'image':
        return onlyOf('user', role, block);
      default:
        return [];
    }
  });
  return [...faults, ...end];
}

/** Ours keep a hidden thought as the server sent it. */
const isThought = (block: Block | undefined): boolean =>
  block !== undefined && /^(?:redacted_)?thinking$/.test(String((block.raw as Block | undefined)?.type ?? block.type));

const faultsOfParts = (content: unknown): readonly string[] =>
  Array.isArray(content) && content.some((part: Block) => part.type === 'text' && part.text === '')
    ? ['has a result with an empty text']
    : [];

const onlyOf = (right: string, role: string, { type }: Block): readonly string[] =>
  role === right ? [] : [`has a ${type} that is not the ${right}’s`];

/** Each message answers the calls of the one before it: all of them, once, in order, before anything else. */
function faultsOfResults(message: RequestMessage, before: RequestMessage | undefined): readonly string[] {
  const results = idsOf(message, 'tool_result', 'tool_use_id');
  const uses = before === undefined ? [] : idsOf(before, 'tool_use', 'id');
  const faults = uses.join() === results.join() ? [] : [`answers ${results.join()} where ${uses.join()} were called`];
  const types = typeof message.content === 'string' ? [] : message.content.map(({ type }) => type);
  const isFirst = types.slice(0, results.length).every((type) => type === 'tool_result');
  return isFirst ? faults : [...faults, 'has something before its results'];
}

const idsOf = ({ content }: RequestMessage, type: string, field: string): readonly string[] =>
  typeof content === 'string' ? [] : content.flatMap((block) => (block.type === type ? [String(block[field])] : []));

const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
