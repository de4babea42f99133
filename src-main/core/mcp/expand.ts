import { err, ok, type Result } from '../../../src-shared/result.ts';
import type { McpServerDefinition, McpTransport } from './definitions.ts';

/** `${NAME}` and `${NAME:-what to take when it is not set}`. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * Puts environment variables where the definition names them: command, arguments, environment, folder, address and
 * headers. An error names the variables that are not set and have no value to fall back on.
 */
export function expandServer(
  definition: McpServerDefinition,
  env: Readonly<Record<string, string | undefined>>,
): Result<McpServerDefinition, string> {
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(VARIABLE, (whole, name: string, fallback: string | undefined) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      // As in a shell, `:-` also stands in for a variable that is empty.
      if (value !== undefined && (value !== '' || fallback === undefined)) return value;
      if (fallback === undefined) missing.add(name);
      return fallback ?? whole;
    });
  const transport = expandTransport(definition.transport, expand);
  if (missing.size === 0) return ok({ ...definition, transport });
  const names = [...missing].join(', ');
  const verb = missing.size === 1 ? 'is' : 'are';
  return err(
    `${names} ${verb} not set (${definition.file}:${definition.line}). Set ${names}, or write \${NAME:-default}.`,
  );
}

function expandTransport(transport: McpTransport, expand: (text: string) => string): McpTransport {
  const each = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]));
  if (transport.kind === 'http') {
    return { kind: 'http', url: expand(transport.url), headers: each(transport.headers) };
  }
  const { command, args, env, cwd } = transport;
  return {
    kind: 'stdio',
    command: expand(command),
    args: args.map(expand),
    env: each(env),
    cwd: cwd === undefined ? undefined : expand(cwd),
  };
}
