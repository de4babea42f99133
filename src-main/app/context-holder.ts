import type { Modifier, ToolContext } from '../ports/tool.ts';

/** The one place where the current context of an agent lives. The value itself is never changed, only replaced. */
export class ContextHolder {
  #current: ToolContext;

  constructor(first: ToolContext) {
    this.#current = first;
  }

  get current(): ToolContext {
    return this.#current;
  }

  modify(modifier: Modifier): void {
    this.#current = modifier(this.#current);
  }
}
