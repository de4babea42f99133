/** The channels that the contract travels on. Apart from it, so that the preload script carries no schemas. */

/** `invoke(name, input)`: a request of the contract, answered by a `Result`. */
export const REQUEST_CHANNEL = 'gantry:request';
/** Main to page: a push of the contract, with its name before its payload. */
export const PUSH_CHANNEL = 'gantry:push';
/** Page to main: so many messages of events have reached the page's thread. */
export const RECEIVED_CHANNEL = 'gantry:received';
