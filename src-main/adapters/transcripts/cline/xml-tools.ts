/** Tools of Cline and Roo that models call in the text of an answer, as XML. */
const TOOLS: ReadonlySet<string> = new Set([
  'access_mcp_resource',
  'apply_diff',
  'ask_followup_question',
  'attempt_completion',
  'browser_action',
  'codebase_search',
  'condense',
  'execute_command',
  'fetch_instructions',
  'insert_content',
  'list_code_definition_names',
  'list_files',
  'load_mcp_documentation',
  'new_rule',
  'new_task',
  'plan_mode_respond',
  'read_file',
  'replace_in_file',
  'report_bug',
  'run_slash_command',
  'search_and_replace',
  'search_files',
  'summarize_task',
  'switch_mode',
  'update_todo_list',
  'use_mcp_tool',
  'web_fetch',
  'web_search',
  'write_to_file',
]);

export type XmlPiece =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, string>> };

/** The text of an answer with the calls in it taken out, in their order. A call that is not closed ends with the text. */
export function piecesOf(text: string): readonly XmlPiece[] {
  const pieces: XmlPiece[] = [];
  const opening = /<(thinking|[a-z][a-z0-9_]*)>/g;
  let from = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const name = found[1] ?? '';
    if (name !== 'thinking' && !TOOLS.has(name)) continue;
    push(pieces, text.slice(from, found.index));
    const inside = opening.lastIndex;
    const end = text.indexOf(`</${name}>`, inside);
    const body = text.slice(inside, end === -1 ? undefined : end);
    from = end === -1 ? text.length : end + name.length + 3;
    opening.lastIndex = from;
    if (name === 'thinking') pieces.push({ kind: 'thinking', text: body.trim() });
    else pieces.push({ kind: 'call', tool: name, input: parametersOf(body) });
  }
  push(pieces, text.slice(from));
  return pieces;
}

function push(pieces: XmlPiece[], text: string): void {
  const trimmed = text.trim();
  if (trimmed !== '') pieces.push({ kind: 'text', text: trimmed });
}

function parametersOf(body: string): Readonly<Record<string, string>> {
  const input: Record<string, string> = {};
  const opening = /<([A-Za-z_][\w-]*)>/g;
  for (let found = opening.exec(body); found !== null; found = opening.exec(body)) {
    const name = found[1] ?? '';
    const close = `</${name}>`;
    // What is written to a file may hold such marks itself; the last one closes it.
    const whole = name === 'content' || name === 'diff';
    const end = whole ? body.lastIndexOf(close) : body.indexOf(close, opening.lastIndex);
    const value = body.slice(opening.lastIndex, end < opening.lastIndex ? undefined : end);
    Object.defineProperty(input, name, {
      value: value.replace(/^\n|\n$/g, ''),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    opening.lastIndex = end < opening.lastIndex ? body.length : end + close.length;
  }
  return input;
}
