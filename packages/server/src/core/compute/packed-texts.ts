// Many texts as one, because copying each to a thread and back takes a microsecond of the main thread.
export interface PackedTexts {
  text: string
  /** By text; -1 for null. */
  lengths: Int32Array
}

export function packTexts(texts: (string | null)[]): PackedTexts {
  const lengths = new Int32Array(texts.length)
  for (let i = 0; i < texts.length; i++) lengths[i] = texts[i]?.length ?? -1
  return { text: texts.join(''), lengths }
}

export function unpackTexts({ text, lengths }: PackedTexts): (string | null)[] {
  const texts: (string | null)[] = []
  let at = 0
  for (const length of lengths) {
    texts.push(length === -1 ? null : text.slice(at, at + length))
    at += Math.max(0, length)
  }
  return texts
}
