import { type ReactNode, useEffect, useState } from 'react';
import { RegionBoundary } from '../shell/RegionBoundary.tsx';
import { toggleTheme } from '../theme/theme-switch.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './Gallery.module.css';
import type { GalleryPage } from './page.ts';

const modules = import.meta.glob<{ readonly gallery: GalleryPage }>('../**/*.gallery.tsx');
const names = Object.keys(modules)
  .map((path) => ({ path, name: path.replace(/^.*\/(.+)\.gallery\.tsx$/, '$1') }))
  .sort((a, b) => a.name.localeCompare(b.name));

/** Every component in every state it can be in, on one page. For who works on them; not part of the app. */
export function Gallery() {
  const [path, setPath] = useState(names[0]?.path);
  const [page, setPage] = useState<GalleryPage>();
  useEffect(() => {
    let current = true;
    setPage(undefined);
    if (path === undefined) return;
    void modules[path]?.().then((module) => {
      if (current) setPage(module.gallery);
    });
    return () => {
      current = false;
    };
  }, [path]);
  return (
    <div className={styles.gallery}>
      <nav className={styles.list} aria-label="Components">
        <Button onClick={toggleTheme}>Other theme</Button>
        {names.map((one) => (
          <button
            key={one.path}
            type="button"
            className={styles.name}
            aria-current={one.path === path ? 'page' : undefined}
            onClick={() => setPath(one.path)}
          >
            {one.name}
          </button>
        ))}
      </nav>
      <main className={styles.page} data-testid="gallery-page">
        {page?.map(({ title, width, height, show }) => (
          <section key={title} className={styles.state}>
            <h2 className={styles.title}>{title}</h2>
            <Frame width={width} height={height}>
              <RegionBoundary name="state">{show()}</RegionBoundary>
            </Frame>
          </section>
        ))}
      </main>
    </div>
  );
}

type FrameProps = {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly children: ReactNode;
};

const Frame = ({ width, height, children }: FrameProps) => (
  <div className={styles.frame} style={{ width, height }}>
    {children}
  </div>
);
