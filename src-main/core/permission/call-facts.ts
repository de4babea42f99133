import { type FileUse, filesOf, redirectedFiles } from './bash-files.ts';
import { type BashScript, handedTexts, readScript, type Step } from './bash-script.ts';
import type { Ground, Place } from './ground.ts';
import { isEditor, isReader, isShell } from './rules.ts';
import { ShellValues } from './shell-values.ts';
import { field, type Use } from './tool-rules.ts';

/** A tool that works on one file or folder: where, and whether on all that lies in it. */
export type Target = { readonly place: Place; readonly access: 'read' | 'write'; readonly folder: boolean };

/** A step of a command with the files it opens. */
export type StepFiles = {
  readonly step: Step;
  readonly uses: readonly FileUse[];
  readonly redirected: readonly FileUse[];
};

/** All that rules and modes want to know of one call. Worked out once, and only as far as it is asked for. */
export class CallFacts {
  readonly use: Use;
  readonly ground: Ground;
  #bash: BashFacts | undefined;

  constructor(use: Use, ground: Ground) {
    this.use = use;
    this.ground = ground;
  }

  /** The command of a shell tool; undefined for other tools and for inputs without one. */
  get bash(): BashFacts | undefined {
    if (this.#bash !== undefined) return this.#bash;
    const command = isShell(this.use.tool) ? field(this.use.input, 'command') : undefined;
    this.#bash = command === undefined ? undefined : new BashFacts(command, this.ground);
    return this.#bash;
  }

  /** What a file tool works on; undefined for other tools and for inputs that name nothing. */
  get target(): Target | undefined {
    const { tool, input } = this.use;
    if (!isEditor(tool) && !isReader(tool)) return undefined;
    const path = pathOf(tool, input);
    if (path === undefined) return undefined;
    const folder = tool === 'Grep' || tool === 'Glob' || tool === 'LS';
    return { place: this.ground.place(path), access: isEditor(tool) ? 'write' : 'read', folder };
  }
}

function pathOf(tool: string, input: unknown): string | undefined {
  const path = field(input, 'path');
  switch (tool) {
    case 'Grep':
    case 'LS':
      return path ?? '.';
    case 'Glob':
      return globFolder(path ?? '.', field(input, 'pattern') ?? '');
    case 'NotebookEdit':
    case 'NotebookRead':
      return field(input, 'notebook_path') ?? field(input, 'file_path');
    default:
      return field(input, 'file_path') ?? path ?? field(input, 'filePath');
  }
}

/** The folder that a pattern works in: its parts up to the first with a special character. */
function globFolder(path: string, pattern: string): string {
  const parts = pattern.replaceAll('\\', '/').split('/');
  const special = parts.findIndex((part) => /[*?[\]{}!]/.test(part));
  const literal = parts.slice(0, special === -1 ? parts.length - 1 : special).join('/');
  if (/^(?:[/~]|[A-Za-z]:)/.test(pattern)) return literal === '' ? '/' : literal;
  return literal === '' ? path : `${path}/${literal}`;
}

/** Texts in texts for other shells are followed that deep. */
const MOST_DEPTH = 4;

/** One command text. */
export class BashFacts {
  readonly script: BashScript;
  readonly ground: Ground;
  readonly values: ShellValues;
  readonly files: readonly StepFiles[];
  readonly #depth: number;
  #handed: readonly BashFacts[] | undefined;

  constructor(command: string, ground: Ground, depth = 0) {
    this.ground = ground;
    this.#depth = depth;
    this.script = readScript(command, ground);
    this.values = new ShellValues(this.script, ground);
    this.files = this.script.steps.map((step) => ({
      step,
      uses: filesOf(step, this.values),
      redirected: redirectedFiles(step.redirections, step.folders, this.values),
    }));
  }

  get command(): string {
    return this.script.text;
  }

  /** Nothing of it is hidden: it was read for certain, and does not lie too deep to look into what it runs. */
  get isClear(): boolean {
    return this.script.analysis.parsed && this.script.steps.length > 0 && this.#depth < MOST_DEPTH;
  }

  /** What it hands to other shells as a text. */
  get handed(): readonly BashFacts[] {
    this.#handed ??= this.#depth >= MOST_DEPTH ? [] : this.#read();
    return this.#handed;
  }

  #read(): readonly BashFacts[] {
    const texts = this.script.steps.flatMap((step) => handedTexts(step, this.command));
    return texts.map((text) => new BashFacts(text, this.ground, this.#depth + 1));
  }

  /** The places a use may be about; wildcards stand in their names as they are marked. Undefined: anywhere. */
  places({ values, folders }: FileUse): readonly Place[] | undefined {
    if (values === undefined) return undefined;
    if (folders === undefined && values.some((value) => !/^[/~]/.test(value))) return undefined;
    return values.flatMap((value) => (folders ?? ['/']).map((folder) => this.ground.place(value, folder)));
  }
}
