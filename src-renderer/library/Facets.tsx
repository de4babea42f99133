import {
  Archive,
  Bot,
  Calendar,
  Folder,
  FolderCog,
  Hand,
  HardDrive,
  Import,
  Library,
  type LucideIcon,
  Monitor,
  Radio,
  TriangleAlert,
  Zap,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { Has, Where } from '../../src-shared/library/view.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { appStore } from '../state/app-store.ts';
import { tildePath } from '../state/format.ts';
import { showPlaces, showVault } from '../vault/vault-store.ts';
import styles from './Library.module.css';
import { libraryStore, lookFor } from './library-store.ts';
import { HAS_WORDS, WHEN_WORDS, WHERE_WORDS } from './words.ts';

const WHERE_ICONS: Readonly<Record<Where, LucideIcon>> = {
  all: Library,
  running: Radio,
  own: Monitor,
  machine: Import,
  vault: Archive,
};
const HAS_ICONS: Readonly<Record<Has, LucideIcon>> = {
  cascade: Zap,
  rejection: Hand,
  saved: HardDrive,
  agents: Bot,
  findings: TriangleAlert,
};

/** What sessions can be narrowed down to, each with how many there are in all. */
export function Facets() {
  const { query, overview } = useStore(libraryStore);
  const facets = overview?.facets;
  return (
    <nav className={styles.facets} aria-label="Filters">
      <Group title="Where">
        {Where.options.map((where) => (
          <Facet
            key={where}
            icon={WHERE_ICONS[where]}
            label={WHERE_WORDS[where]}
            count={facets?.where[where]}
            on={query.where === where}
            onClick={() => lookFor({ where })}
          />
        ))}
        {overview?.otherPrograms === false ? (
          <p className={styles.note}>Folders of other programs are not looked into: your settings say so.</p>
        ) : null}
      </Group>
      <Projects />
      <Group title="Has">
        {Has.options.map((has) => (
          <Facet
            key={has}
            icon={HAS_ICONS[has]}
            label={HAS_WORDS[has]}
            count={facets?.has[has]}
            on={query.has.includes(has)}
            onClick={() =>
              lookFor({ has: query.has.includes(has) ? query.has.filter((one) => one !== has) : [...query.has, has] })
            }
          />
        ))}
      </Group>
      <Group title="When">
        {(['day', 'week', 'month'] as const).map((when) => (
          <Facet
            key={when}
            icon={Calendar}
            label={WHEN_WORDS[when]}
            count={facets?.when[when]}
            on={query.when === when}
            onClick={() => lookFor({ when: query.when === when ? 'any' : when })}
          />
        ))}
      </Group>
      <Group title="Library">
        <Facet icon={FolderCog} label="Where to look" onClick={showPlaces} />
        <Facet icon={Archive} label="Vault" onClick={showVault} />
      </Group>
    </nav>
  );
}

/** Projects that are shown before the others are asked for. */
const SHOWN = 5;

function Projects() {
  const { query, overview } = useStore(libraryStore);
  const home = useStore(appStore, (app) => app.info?.home);
  const [all, setAll] = useState(false);
  const projects = overview?.facets.projects ?? [];
  if (projects.length === 0) return null;
  const shown = projects.filter(({ folder }, at) => all || at < SHOWN || folder === query.project);
  return (
    <Group title="Project">
      {shown.map(({ folder, name, count }) => (
        <Facet
          key={folder}
          icon={Folder}
          label={name}
          title={tildePath(folder, home)}
          count={count}
          on={query.project === folder}
          onClick={() => lookFor({ project: query.project === folder ? '' : folder })}
        />
      ))}
      {projects.length > SHOWN ? (
        <Facet
          icon={Folder}
          label={all ? 'fewer' : `all ${formatCount(projects.length)}`}
          onClick={() => setAll(!all)}
        />
      ) : null}
    </Group>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.facetGroup} aria-label={title}>
      <h2 className={styles.label}>{title}</h2>
      {children}
    </section>
  );
}

type FacetProps = {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly title?: string;
  readonly count?: number | undefined;
  /** Absent for a button that chooses nothing. */
  readonly on?: boolean;
  readonly onClick: () => void;
};

function Facet({ icon: Icon, label, title, count, on, onClick }: FacetProps) {
  return (
    <button type="button" className={styles.facet} aria-pressed={on} title={title} onClick={onClick}>
      <Icon aria-hidden="true" size={15} strokeWidth={1.75} />
      <span className={styles.cut}>{label}</span>
      {count === undefined ? null : <span className={styles.facetCount}>{formatCount(count)}</span>}
    </button>
  );
}
