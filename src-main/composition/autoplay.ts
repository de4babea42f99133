import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import { millis } from '../../src-shared/units.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import type { Clock } from '../ports/clock.ts';

const LOOK_MS = 100;
/** Questions stay on screen for a moment before they are answered, as a person would. */
const ANSWER_AFTER_MS = 700;
const REST_MS = 500;
const LONGEST_MS = 90_000;

/**
 * Plays a scenario (or shows what is open) without anybody in front of the screen, and writes a picture of the window:
 * what `npm start` does where there is no display.
 */
export async function autoplay(deps: {
  readonly window: BrowserWindow;
  readonly library: SessionLibrary;
  readonly clock: Clock;
  readonly scenario: Scenario | undefined;
  readonly screenshot: string;
  readonly show: (sessionId: SessionId) => void;
}): Promise<void> {
  const { window, library, clock, scenario } = deps;
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.schedule(millis(ms), resolve));
  const end = clock.monotonic() + LONGEST_MS;
  const until = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
    while (!(await isTrue())) {
      if (clock.monotonic() > end) throw new Error(`${what} did not happen within ${LONGEST_MS / 1000} s`);
      await wait(LOOK_MS);
    }
  };
  const isIdle = () => window.webContents.executeJavaScript("document.documentElement.dataset.idle === 'true'");

  await until('The window’s first page', isIdle);
  if (scenario !== undefined) {
    const sessionId = await library.startScenario(scenario);
    deps.show(sessionId);
    const session = await library.live(sessionId);
    let over = false;
    void session.idle.then(() => {
      over = true;
    });
    await until('The end of the scenario', async () => {
      for (const call of session.log.state.calls) {
        const ask = call.asks.findLast((each) => each.until === undefined);
        if (ask === undefined || session.log.now - ask.from < ANSWER_AFTER_MS) continue;
        session.answer(call.callId, ask.askId, { kind: 'allow-once' });
      }
      return over;
    });
  }
  // The list of sessions follows a little later than the session itself.
  await wait(REST_MS);
  await until('The window’s rest', isIdle);
  const picture = await window.webContents.capturePage();
  await mkdir(dirname(deps.screenshot), { recursive: true });
  await writeFile(deps.screenshot, picture.toPNG());
}
