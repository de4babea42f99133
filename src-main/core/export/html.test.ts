import { expect, test } from 'vitest';
import { exportHtml } from './html.ts';
import { inputOf, recording, textOf } from './sessions.fixture.ts';

const PAGE =
  '<html data-choice="system"><head><title>Gantry</title></head><body><!--gantry:session--><script>go()</script></body></html>';

/** What a browser takes for the text of each script element: it ends at the first `</script`. */
const scriptsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script/gi)].map((match) => match[1] ?? '');

test('the events of a recording come back out of the page', async () => {
  const input = await recording('cascade-stream');
  const scripts = scriptsOf(textOf(exportHtml(input, PAGE, 'light')));
  expect(scripts.at(-1)).toBe('go()');
  const events = scripts.slice(0, -1).flatMap((text) => JSON.parse(text) as unknown[]);
  expect(events).toEqual(JSON.parse(JSON.stringify(input.events)));
});

test('what a session says cannot end its element, nor name itself into the head', () => {
  const evil = '</script><script>alert(1)</script><!-- $& ';
  const input = inputOf([]);
  input.state.title = evil;
  const event = { type: 'notice-given', seq: 0, at: 0, t: 0, level: 'info', text: evil } as never;
  const html = textOf(exportHtml({ ...input, events: [event] }, PAGE, 'dark'));
  expect(scriptsOf(html)).toHaveLength(2);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).toContain('<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- $&amp; </title>');
  expect(html).toContain('data-choice="dark"');
});
