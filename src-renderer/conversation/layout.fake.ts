const SIZES = ['clientHeight', 'offsetHeight', 'clientWidth', 'offsetWidth'] as const;

/**
 * Gives elements a size in tests: the test DOM lays nothing out, and a virtual list without a height shows nothing.
 * Elements with `data-index` are rows of a list, all others are as high as a window. Returns the way to stop.
 */
export function fakeLayout(rowHeight = 24, height = 600, width = 800): () => void {
  const prototype = HTMLElement.prototype;
  const before = SIZES.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)] as const);
  for (const name of SIZES) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        if (name.endsWith('Width')) return width;
        return this.dataset.index === undefined ? height : rowHeight;
      },
    });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(prototype, name);
      else Object.defineProperty(prototype, name, descriptor);
    }
  };
}
