import { isAbsolute, relative, resolve } from 'node:path';
import { FailureError } from '../../src-shared/failure.ts';
import type { LibraryPlaces } from '../../src-shared/library/view.ts';

export type PlacesDeps = {
  /** What a person has chosen, folders absolute. */
  readonly chosen: () => { readonly folders: readonly string[]; readonly leaveOut: readonly string[] };
  /** The usual places of all programs whose formats are read. */
  readonly programs: () => readonly { readonly format: string; readonly folder: string }[];
  readonly isThere: (path: string) => Promise<boolean>;
  /** Undefined takes the value away. @throws FailureError */
  readonly write: (key: 'folders' | 'leaveOut', value: readonly string[] | undefined) => void;
};

/** Programs that have left something here or are left out, and added folders, with how much is there. */
export async function placesNow(
  deps: PlacesDeps,
  otherPrograms: boolean,
  countIn: (folders: string[]) => Promise<number[]>,
): Promise<LibraryPlaces> {
  const { folders, leaveOut } = deps.chosen();
  const programs = deps.programs();
  const all = [...new Set([...programs.map(({ folder }) => folder), ...folders])];
  const there = new Map(await Promise.all(all.map(async (path) => [path, await deps.isThere(path)] as const)));
  const present = all.filter((path) => there.get(path) === true);
  const counts = await countIn(present);
  const place = (folder: string) => ({
    folder,
    there: there.get(folder) === true,
    count: counts[present.indexOf(folder)] ?? 0,
  });
  const formats = [...new Set(programs.map(({ format }) => format))];
  return {
    otherPrograms,
    programs: formats
      .map((format) => ({
        format,
        on: !leaveOut.includes(format),
        places: programs
          .filter((one) => one.format === format && there.get(one.folder) === true)
          .map((one) => place(one.folder)),
      }))
      .filter(({ on, places }) => !on || places.length > 0),
    added: folders.map(place),
  };
}

type Added = { readonly folder: string; readonly on: boolean; readonly vault: string | undefined };

/** Adds a folder, or takes an added one away. @throws FailureError */
export async function addFolder(deps: PlacesDeps, { folder, on, vault }: Added): Promise<void> {
  const { folders } = deps.chosen();
  if (!on) {
    const others = folders.filter((path) => path !== folder);
    deps.write('folders', others.length === 0 ? undefined : others);
    return;
  }
  const refuse = (message: string, hint: string): never => {
    throw new FailureError({ kind: 'bad-input', message, hint });
  };
  if (!isAbsolute(folder)) refuse(`${folder} is no whole path.`, 'Choose a folder.');
  const path = resolve(folder);
  if (!(await deps.isThere(path))) refuse(`${path} does not exist.`, 'Choose a folder that is there.');
  if (vault !== undefined && !relative(vault, path).startsWith('..')) {
    refuse(`${path} lies in the vault.`, 'What only the vault has is listed by itself.');
  }
  if (!folders.includes(path)) deps.write('folders', [...folders, path]);
}

/** Leaves a program out, or takes it in again. */
export function leaveOut({ chosen, write }: PlacesDeps, format: string, on: boolean): void {
  const others = chosen().leaveOut.filter((one) => one !== format);
  const next = on ? others : [...others, format];
  write('leaveOut', next.length === 0 ? undefined : next);
}
