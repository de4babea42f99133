import type { CallId } from '../ids.ts';

/** The scheduler was given a call id that it already has. */
export class CallAddedTwice extends Error {
  override readonly name = 'CallAddedTwice';
  readonly callId: CallId;

  constructor(callId: CallId) {
    super(`call ${callId} was added twice to one message`);
    this.callId = callId;
  }
}

/** The scheduler was given a call after it had been told that the message is complete. */
export class CallAddedTooLate extends Error {
  override readonly name = 'CallAddedTooLate';
  readonly callId: CallId;

  constructor(callId: CallId) {
    super(`call ${callId} was added after its message had ended`);
    this.callId = callId;
  }
}

/** The number of lanes is not a positive integer. Settings replace such a value before it comes here (spec 1.4). */
export class CapNotPositive extends Error {
  override readonly name = 'CapNotPositive';
  readonly cap: number;

  constructor(cap: number) {
    super(`a scheduler needs a positive whole number of lanes, not ${cap}`);
    this.cap = cap;
  }
}
