/**
 * The server cannot start, and retrying does not help. The message is one sentence with problem and
 * remedy.
 */
export class StartError extends Error {}

/** The start was aborted. */
export class StartAborted extends Error {}
