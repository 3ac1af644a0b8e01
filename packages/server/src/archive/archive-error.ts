/** An archive cannot be made or taken in. The message is one sentence for the operator: what is wrong, and what to do. */
export class ArchiveError extends Error {}
