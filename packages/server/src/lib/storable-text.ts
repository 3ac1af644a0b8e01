/** Of why something failed, as everything that fails keeps it: events, workflows, installations. In characters. */
export const longestReason = 2_000

/** What strangers' code says, as a text column can hold it: without NUL, without half characters, and not without end. */
export const storableText = (text: string, longest: number) =>
  Buffer.from(text.slice(0, longest).replaceAll('\0', '\uFFFD')).toString()
