import type { GalleryPage } from '../gallery/page.ts';
import { ConversationView } from './Conversation.tsx';
import { asksStory, longStory, pricesStory, troubledStory } from './samples.ts';
import { Story } from './story.ts';

const imported = new Story('Imported', {
  kind: 'imported',
  format: 'claude-code',
  path: '/home/mira/session.jsonl',
  clock: 'order-only',
})
  .you('What is in here?')
  .request()
  .says('A file without times.')
  .call('ls', 'Bash', 'ls')
  .starts('ls')
  .ends('ls')
  .said();
const queued = pricesStory().add({
  type: 'user-message-queued',
  messageId: 'queued' as never,
  text: 'Also look at the refunds, and tell me which of the tests cover them.',
});

export const gallery: GalleryPage = [
  {
    title: 'A turn runs; a sub-agent is folded under its call',
    width: 870,
    height: 420,
    show: () => view(pricesStory()),
  },
  { title: 'A message waits for the turn', width: 870, height: 300, show: () => view(queued) },
  {
    title: 'Broken stream, second try, stopped turn, notices',
    width: 870,
    height: 560,
    show: () => view(troubledStory()),
  },
  { title: 'Narrow', width: 380, height: 420, show: () => view(pricesStory()) },
  { title: 'Read from a file without times', width: 870, height: 240, show: () => view(imported) },
  { title: 'Nothing said yet', width: 870, height: 240, show: () => view(new Story()) },
  { title: 'Questions wait', width: 870, height: 300, show: () => view(asksStory()) },
  { title: '10,000 calls', width: 870, height: 420, show: () => view(longStory(10_000)) },
];

const view = (story: Story) => <ConversationView state={story.state()} version={1} />;
