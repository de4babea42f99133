import { Circle, CircleCheck, CircleDot, ListTodo, type LucideIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionState, TodoList } from '../../src-shared/session/state.ts';
import type { Todo } from '../../src-shared/todo/event.ts';
import { classes } from '../widgets/classes.ts';
import { PopoverPanel } from '../widgets/PopoverPanel.tsx';
import styles from './TodosButton.module.css';

/** `Todos 2/5` in the status bar, while an agent keeps a list; opens the lists of all agents. */
export function TodosButton({ state }: { readonly state: SessionState }) {
  const lists = state.todoLists.filter(({ todos }) => todos.length > 0);
  if (lists.length === 0) return null;
  const all = lists.flatMap(({ todos }) => todos);
  const done = all.filter(({ status }) => status === 'completed').length;
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger} aria-label={`Todos, ${done} of ${all.length} done`}>
        <ListTodo aria-hidden="true" size={14} strokeWidth={1.75} />
        Todos {done}/{all.length}
      </Popover.Trigger>
      <PopoverPanel className={styles.content} side="top" align="end">
        <h2 className={styles.title}>What is to be done</h2>
        {lists.map((list) => (
          <section key={list.agentId}>
            {lists.length > 1 || list.agentId !== MAIN_AGENT ? (
              <h3 className={styles.agent}>{agentName(state, list)}</h3>
            ) : null}
            <ul className={styles.list}>
              {list.todos.map((todo, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list may say the same twice, and is replaced as a whole
                <Item key={at} todo={todo} />
              ))}
            </ul>
          </section>
        ))}
      </PopoverPanel>
    </Popover.Root>
  );
}

const agentName = (state: SessionState, { agentId }: TodoList): string =>
  agentId === MAIN_AGENT ? 'main agent' : (state.agents.find((agent) => agent.agentId === agentId)?.name ?? agentId);

const SIGNS: Readonly<Record<Todo['status'], { readonly icon: LucideIcon; readonly words: string }>> = {
  pending: { icon: Circle, words: 'to do' },
  in_progress: { icon: CircleDot, words: 'in progress' },
  completed: { icon: CircleCheck, words: 'done' },
};

function Item({ todo }: { readonly todo: Todo }) {
  const { icon: Icon, words } = SIGNS[todo.status];
  return (
    <li className={classes(styles.item, styles[todo.status])}>
      <Icon aria-hidden="true" size={15} strokeWidth={1.75} />
      <span>{todo.status === 'in_progress' ? (todo.activeForm ?? todo.content) : todo.content}</span>
      <span className="visually-hidden">, {words}</span>
    </li>
  );
}
