/** What a tool did, as far as its hooks read it. */
type ToolUse = {
  readonly toolName: string;
  readonly toolInput: unknown;
  /** The result as the model gets it. */
  readonly text: string;
};

/**
 * `tool_response` of a tool that ran, in the fields that hooks written for the protocol look for (HR#posttooluse-input).
 * Standard error is part of `stdout`: a command writes both into one file here.
 */
export function toolResponse({ toolName, toolInput, text }: ToolUse): Readonly<Record<string, unknown>> {
  switch (toolName) {
    case 'Bash':
      return { stdout: text, stderr: '', interrupted: false, isImage: false };
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
      return { filePath: pathIn(toolInput), success: true };
    case 'Read':
      return { type: 'text', file: { filePath: pathIn(toolInput), content: text } };
    default:
      return { content: text };
  }
}

const pathIn = (input: unknown): unknown => (input as { readonly file_path?: unknown } | undefined)?.file_path;
