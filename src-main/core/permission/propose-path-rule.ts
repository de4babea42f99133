/**
 * The rule for one path, in settings syntax: the path and what lies below it, wherever the rule is kept. Rules for files are
 * written for `Read` and `Edit` alone, whatever the tool (reference, section 3). Undefined where no rule can say it.
 *
 * @param path as the model wrote it: absolute, `~/…` or relative to the working folder.
 */
export function proposePathRule(tool: 'Read' | 'Edit', path: string | undefined): string | undefined {
  if (path === undefined || path.trim() === '' || /[\u0000-\u001f]/.test(path)) return undefined;
  return `${tool}(${anchored(path)})`;
}

/** A bare name would be meant at any depth, and one slash in front is not the root of the file system. */
function anchored(path: string): string {
  if (/^[A-Za-z]:[\\/]/.test(path))
    return `//${path.charAt(0).toLowerCase()}/${escaped(path.slice(3).replaceAll('\\', '/'))}`;
  if (path.startsWith('/')) return `//${escaped(path.replace(/^\/+/, ''))}`;
  if (/^(?:~|\.{1,2})(?:\/|$)/.test(path)) return escaped(path);
  return `./${escaped(path)}`;
}

/** Characters that gitignore gives a meaning to. */
const escaped = (path: string): string => path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
