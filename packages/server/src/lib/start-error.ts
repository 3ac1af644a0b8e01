/** The server cannot start, and no retry will help. The message is one sentence for the operator: what is wrong, and what to do. */
export class StartError extends Error {}

/** The start was ended before it had finished. */
export class StartAborted extends Error {}
