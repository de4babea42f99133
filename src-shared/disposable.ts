/** Whoever starts a thing can stop it: what `start…`, `schedule…` and `on…` return. Disposing twice is harmless. */
export type Disposable = { dispose(): void };
