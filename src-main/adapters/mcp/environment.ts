/** What a program needs to find its way, and nothing that may be a secret. */
const INHERITED: ReadonlySet<string> = new Set(
  [
    'HOME LOGNAME PATH SHELL TERM USER LANG LANGUAGE TZ TMPDIR',
    'XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR',
    // Windows
    'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES',
    'SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR',
  ].flatMap((names) => names.split(' ')),
);

/** The environment of a server's program: a few variables of the app's own, and what its definition gives it. */
export function serverEnvironment(
  env: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (INHERITED.has(entry[0].toUpperCase()) || entry[0].startsWith('LC_')) &&
      // A function of a shell.
      !entry[1].startsWith('()'),
  );
  return { ...Object.fromEntries(inherited), ...own };
}
