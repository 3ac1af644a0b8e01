/** Maximum length of stored failure reasons (events, workflows, installations), in characters. */
export const maxReasonLength = 2_000

/**
 * Makes a text from untrusted code storable: replaces NUL and lone surrogates, and limits its
 * length.
 */
export const storableText = (text: string, longest: number) =>
  Buffer.from(text.slice(0, longest).replaceAll('\0', '\uFFFD')).toString()
