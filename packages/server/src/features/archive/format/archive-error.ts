/**
 * Archive creation, import or restore failed. The message is one sentence for the operator: the
 * problem and its remedy.
 */
export class ArchiveError extends Error {}
