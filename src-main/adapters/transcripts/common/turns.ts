import type { TurnEnd } from '../../../../src-shared/session/event.ts';
import type { JudgedMessage } from './judged.ts';
import {
  compare,
  type EntryStory,
  isBefore,
  isKnown,
  later,
  type MessageStory,
  type Moment,
  type TurnMark,
} from './story.ts';

export type TurnStory = {
  readonly id: string;
  readonly from: Moment;
  end: { readonly moment: Moment; readonly reason: TurnEnd; readonly message: string | undefined };
  /** When a person stopped it with Esc. */
  interruptedAt: Moment | undefined;
  /** It has no end yet; `end` is where it stands. */
  goesOn: boolean;
};

/** What the model was asked and when: worked out, since no file records it. */
export type RequestStory = { readonly message: MessageStory; readonly turnId: string; readonly from: Moment };

type Item =
  | { readonly moment: Moment; readonly kind: 'entry'; readonly entry: EntryStory }
  | { readonly moment: Moment; readonly kind: 'message'; readonly judged: JudgedMessage }
  | { readonly moment: Moment; readonly kind: 'result' }
  | { readonly moment: Moment; readonly kind: 'mark'; readonly mark: TurnMark };

export type TurnSources = {
  readonly agentId: string;
  readonly entries: readonly EntryStory[];
  readonly marks: readonly TurnMark[];
  readonly messages: readonly JudgedMessage[];
  /** The files are still being written. */
  readonly goesOn: boolean;
};

/** The turns of one agent and the requests in them, from its prompts, messages and results in order of time. */
export function turnsOf(sources: TurnSources) {
  const walk = new Walk(sources.agentId);
  for (const item of itemsOf(sources)) walk.take(item);
  return walk.done(sources.goesOn);
}

function itemsOf({ entries, marks, messages }: TurnSources): readonly Item[] {
  const items: Item[] = [];
  for (const entry of entries) items.push({ moment: entry.place, kind: 'entry', entry });
  for (const mark of marks) items.push({ moment: mark.place, kind: 'mark', mark });
  for (const judged of messages) {
    items.push({ moment: judged.message.first, kind: 'message', judged });
    for (const call of judged.message.calls) {
      if (call.result !== undefined) items.push({ moment: call.result.place, kind: 'result' });
    }
  }
  return items.sort((a, b) => compare(a.moment, b.moment));
}

type OpenTurn = { readonly story: TurnStory; last: JudgedMessage | undefined; lastMoment: Moment };

class Walk {
  readonly #agentId: string;
  readonly #turns: TurnStory[] = [];
  readonly #requests: RequestStory[] = [];
  #open: OpenTurn | undefined;
  #prompt: Moment | undefined;
  /** The prompt is one of the program's own commands, which the model may never see. */
  #isCommand = false;
  /** The last thing the model had not seen yet. */
  #trigger: Moment | undefined;

  constructor(agentId: string) {
    this.#agentId = agentId;
  }

  take(item: Item): void {
    switch (item.kind) {
      case 'entry':
        this.#takeEntry(item.entry);
        return;
      case 'message':
        this.#takeMessage(item.judged);
        return;
      case 'result':
        this.#trigger = item.moment;
        if (this.#open !== undefined) this.#open.lastMoment = later(this.#open.lastMoment, item.moment);
        return;
      case 'mark':
        this.#takeMark(item.mark);
    }
  }

  #takeEntry(entry: EntryStory): void {
    if (entry.kind === 'interrupt') {
      this.#interrupt(entry.place);
      return;
    }
    this.#trigger = entry.place;
    if (entry.kind !== 'prompt') return;
    this.#endByItself();
    this.#prompt = entry.place;
    this.#isCommand = /^[/!]/.test(entry.text);
  }

  #takeMessage(judged: JudgedMessage): void {
    const { message } = judged;
    const trigger = this.#trigger === undefined ? message.first : this.#trigger;
    this.#open ??= this.#start(this.#prompt ?? trigger);
    this.#prompt = undefined;
    this.#requests.push({ message, turnId: this.#open.story.id, from: trigger });
    this.#open.last = judged;
    this.#open.lastMoment = later(this.#open.lastMoment, message.last);
    for (const end of judged.ends.values()) {
      if (isKnown(end)) this.#open.lastMoment = later(this.#open.lastMoment, end);
    }
    this.#trigger = message.last;
  }

  #takeMark(mark: TurnMark): void {
    const turn = this.#open;
    this.#trigger = mark.place;
    if (mark.kind === 'begun') {
      if (turn === undefined) this.#prompt ??= mark.place;
      return;
    }
    if (turn === undefined) return;
    if (mark.kind === 'ended') this.#close(turn, mark.place, reasonOf(turn), mark.message);
    else this.#close(turn, mark.place, mark.kind, mark.message);
  }

  #interrupt(place: Moment): void {
    if (this.#open === undefined && this.#prompt !== undefined) this.#open = this.#start(this.#prompt);
    const turn = this.#open;
    this.#prompt = undefined;
    if (turn === undefined) return;
    const outcomes = [...(turn.last?.verdicts.values() ?? [])].map((verdict) => verdict.outcome);
    const rejected = outcomes.includes('rejected');
    if (!rejected) {
      const stoppedAt = turn.last?.stoppedAt;
      turn.story.interruptedAt = stoppedAt !== undefined && isBefore(stoppedAt, place) ? stoppedAt : place;
    }
    this.#close(turn, place, rejected ? 'rejected' : 'interrupted', undefined);
  }

  #start(from: Moment): OpenTurn {
    const id = `turn-${this.#agentId}-${this.#turns.length + 1}`;
    const end = { moment: from, reason: 'unknown' as TurnEnd, message: undefined };
    const story: TurnStory = { id, from, end, interruptedAt: undefined, goesOn: false };
    this.#turns.push(story);
    return { story, last: undefined, lastMoment: from };
  }

  #close(turn: OpenTurn, place: Moment, reason: TurnEnd, message: string | undefined): void {
    turn.story.end = { moment: later(place, turn.lastMoment), reason, message };
    this.#open = undefined;
  }

  #endByItself(): void {
    const turn = this.#open;
    if (turn !== undefined) this.#close(turn, turn.lastMoment, reasonOf(turn), undefined);
  }

  done(goesOn: boolean): { readonly turns: readonly TurnStory[]; readonly requests: readonly RequestStory[] } {
    if (goesOn && this.#open === undefined && this.#prompt !== undefined && !this.#isCommand) {
      this.#open = this.#start(this.#prompt);
    }
    if (goesOn && this.#open !== undefined && !isAnswered(this.#open)) this.#open.story.goesOn = true;
    this.#endByItself();
    return { turns: this.#turns, requests: this.#requests };
  }
}

/** How a turn ended that no line says the end of: well, if its last message asked for nothing more. */
function reasonOf({ last }: OpenTurn): TurnEnd {
  if (last === undefined) return 'unknown';
  if (last.message.apiError) return 'error';
  const verdicts = [...last.verdicts.values()];
  if (verdicts.some((verdict) => verdict.outcome === 'rejected')) return 'rejected';
  if (verdicts.some((verdict) => verdict.outcome === 'interrupted')) return 'interrupted';
  return verdicts.length === 0 ? 'completed' : 'unknown';
}

/** Its last message says that it is the last, and asks for nothing more. */
const isAnswered = ({ last }: OpenTurn): boolean =>
  last !== undefined &&
  last.message.calls.length === 0 &&
  (last.message.apiError || (last.message.stopReason !== 'unknown' && last.message.stopReason !== 'tool-use'));
