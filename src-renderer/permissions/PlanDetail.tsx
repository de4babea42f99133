import { MessageSquare } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Markdown } from '../conversation/Markdown.tsx';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import detail from './AskDetail.module.css';
import type { AskDetailProps } from './AskDetail.tsx';
import { DetailHead } from './DetailHead.tsx';
import type { AnswerAction } from './guard.ts';
import styles from './PlanDetail.module.css';

/** A plan to approve: how to go on with it, or what should be different. */
export function PlanDetail({ open, cwd, plan, draft, guard, feedbackField, onDraft, onAction }: PlanDetailProps) {
  const act = (action: AnswerAction) => (event: MouseEvent) => onAction(action, event.detail === 0);
  const hasWords = draft.feedback.trim() !== '';
  return (
    <div className={detail.detail}>
      <div className={detail.scrolls}>
        <div className={detail.main}>
          <DetailHead open={open} cwd={cwd} />
          <div className={styles.plan}>
            <Markdown text={plan} />
          </div>
          <label className={detail.feedback}>
            <MessageSquare aria-hidden="true" size={15} />
            <textarea
              ref={feedbackField}
              rows={1}
              aria-label="What should be different"
              placeholder="What should be different (sent only with Keep planning)"
              value={draft.feedback}
              onChange={(event) => onDraft({ feedback: event.target.value, problem: undefined })}
            />
          </label>
        </div>
      </div>
      <footer className={classes(detail.answers, guard.mode === 'arming' && detail.arming)}>
        <Button look="primary" size="large" keys="↵" onClick={act('allow-once')}>
          Go on, ask about edits
        </Button>
        <Button size="large" onClick={act('allow-accepting-edits')}>
          Go on, accept edits
        </Button>
        <span className={detail.space} />
        <span className={styles.aside}>{hasWords ? '' : 'Without a word the turn ends.'}</span>
        <Button size="large" keys="D" onClick={act(hasWords ? 'deny-with-reason' : 'deny')}>
          Keep planning
        </Button>
      </footer>
    </div>
  );
}

type PlanDetailProps = AskDetailProps & { readonly plan: string };
