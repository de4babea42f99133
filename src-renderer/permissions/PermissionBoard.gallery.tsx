import type { SessionId } from '../../src-shared/ids.ts';
import { asksStory, choicesStory, dangerousStory, planStory } from '../conversation/samples.ts';
import type { Story } from '../conversation/story.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { openAsks } from './asks.ts';
import { NO_LONGER_OPEN } from './board-store.ts';
import styles from './PermissionBoard.gallery.module.css';
import { Board, type BoardProps } from './PermissionBoard.tsx';

const wide = { width: 1190, height: 470 } as const;

export const gallery: GalleryPage = [
  { title: 'Three agents ask', ...wide, show: () => board(asksStory()) },
  { title: 'A dangerous command', ...wide, show: () => board(dangerousStory()) },
  { title: 'An answer that came too late', ...wide, show: () => board(asksStory(1), { refusal: NO_LONGER_OPEN }) },
  { title: 'One was covered by a new rule', ...wide, show: covered },
  { title: 'Two questions with choices', ...wide, show: () => board(choicesStory()) },
  { title: 'A plan', ...wide, show: () => board(planStory()) },
  { title: 'Low', width: 870, height: 300, show: () => board(asksStory()) },
  { title: 'Narrow', width: 480, height: 620, show: () => board(asksStory(2)) },
];

function board(story: Story, more: Partial<BoardProps> = {}) {
  const state = story.state();
  return (
    <div className={styles.dock}>
      <Board
        sessionId={'session' as SessionId}
        state={state}
        asks={openAsks(state)}
        covered={[]}
        refusal={undefined}
        {...more}
      />
    </div>
  );
}

function covered() {
  const asks = openAsks(asksStory().state());
  const [first, ...others] = asks;
  if (first === undefined) return null;
  return board(asksStory(), { asks: others, covered: [{ open: first, rule: 'Bash(xargs sed -i:*)' }] });
}
