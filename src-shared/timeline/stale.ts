import type { ToolCall } from '../tool-call/state.ts';

const READERS: ReadonlySet<string> = new Set(['Read', 'NotebookRead']);

const pathOf = (call: ToolCall): string | undefined => {
  const input = call.input;
  if (typeof input !== 'object' || input === null) return undefined;
  const path = (input as Record<string, unknown>).file_path ?? (input as Record<string, unknown>).notebook_path;
  return typeof path === 'string' ? path : undefined;
};

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const isSameFile = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/**
 * Which reads have gone stale. The journal puts the hint on the call that changed the files (`reads-went-stale`); the
 * chart marks the last read of each file before that call. Where no such read is known, the changing call keeps it.
 */
export class StaleBook {
  private readonly readsOf = new Map<string, { readonly index: number; readonly path: string }[]>();
  private readonly changers = new Set<number>();
  private readonly files = new Map<number, readonly string[]>();
  private stale: Set<number> | undefined;

  take(call: ToolCall, index: number, before: ToolCall | undefined): void {
    if (before === undefined && READERS.has(call.tool)) {
      const path = pathOf(call);
      if (path !== undefined) {
        const reads = this.readsOf.get(baseOf(path));
        if (reads === undefined) this.readsOf.set(baseOf(path), [{ index, path }]);
        else reads.push({ index, path });
        this.stale = undefined;
      }
    }
    if (call.staleFiles.length > 0 && call.staleFiles !== before?.staleFiles) {
      this.changers.add(index);
      this.files.set(index, call.staleFiles);
      this.stale = undefined;
    }
  }

  has(index: number): boolean {
    if (this.changers.size === 0) return false;
    this.stale ??= this.find();
    return this.stale.has(index);
  }

  private find(): Set<number> {
    const stale = new Set<number>();
    for (const changer of this.changers) {
      for (const file of this.files.get(changer) ?? []) {
        const reads = this.readsOf.get(baseOf(file)) ?? [];
        const read = reads.findLast((one) => one.index < changer && isSameFile(one.path, file));
        stale.add(read?.index ?? changer);
      }
    }
    return stale;
  }
}
