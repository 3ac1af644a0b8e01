// Many texts as one, because copying each to a thread and back takes a microsecond of the main thread.
export interface PackedTexts {
  text: string
  /** By text; -1 for null. */
  lengths: Int32Array
}

export const packTexts = (texts: (string | null)[]): PackedTexts => ({
  text: texts.join(''),
  lengths: Int32Array.from(texts, (text) => text?.length ?? -1),
})

export function unpackTexts({ text, lengths }: PackedTexts): (string | null)[] {
  let at = 0
  return Array.from(lengths, (length) => {
    if (length === -1) return null
    at += length
    return text.slice(at - length, at)
  })
}
