import type { ModelItem } from '../../ports/model-provider.ts';

type CallItem = Extract<ModelItem, { type: 'tool-use' | 'broken-tool-use' }>;

/**
 * A call from the letters of its input. No letters at all stand for no arguments. Anything else than a whole JSON object
 * makes a call that never starts and says why (spec 1.9); servers take only objects back.
 */
export function callItem(call: { readonly id: string; readonly name: string; readonly json: string }): CallItem {
  const { id, json } = call;
  if (call.name === '') return { type: 'broken-tool-use', id, name: 'unknown', problem: NO_NAME };
  const name = call.name;
  if (json.trim() === '') return { type: 'tool-use', id, name, input: {} };
  const input = parseJson(json);
  if (isObject(input)) return { type: 'tool-use', id, name, input };
  return { type: 'broken-tool-use', id, name, problem: input === undefined ? noJson(json) : NO_OBJECT };
}

/** A call whose message ended before its input had. */
export function cutOffCall(call: { readonly id: string; readonly name: string; readonly json: string }): CallItem {
  const item = callItem(call);
  if (item.type === 'broken-tool-use' || call.json.trim() !== '') return item;
  return { type: 'broken-tool-use', id: item.id, name: item.name, problem: noJson(call.json) };
}

export const isWholeObject = (json: string): boolean => isObject(parseJson(json));

const NO_NAME = 'The call names no tool. It was not started.';
const NO_OBJECT = 'The input of the call is no JSON object. The call was not started. Send it again with an object.';
const noJson = (json: string): string =>
  `The input of the call is not whole: its ${json.length} characters are no complete JSON, so the message was cut off or the input is malformed. The call was not started. Send it again with the whole input; make it shorter where it is long.`;

/** Undefined where it is no JSON; JSON itself knows no undefined. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
