// Cuts the bytes of a long JSON string into pieces that JSON.parse accepts.

/**
 * Returns the end of the longest piece of complete characters: not within an escape, a surrogate pair
 * of escapes, or a character of several bytes. `from` is the start of a character.
 */
export function toPieceEnd(bytes: Buffer, from: number): number {
  let at = from
  for (let slash = bytes.indexOf(92, at); slash !== -1; slash = bytes.indexOf(92, at)) {
    const length = escapeLength(bytes, slash)
    if (slash + length > bytes.length) return slash
    at = slash + length
  }
  let end = bytes.length
  while (end > at && isContinuation(bytes[end - 1]!)) end--
  return end > at && bytes[end - 1]! >= 128 ? end - 1 : end
}

/** Up to 12 bytes; also if they are not there yet. */
function escapeLength(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== 117) return 2
  if (!isHighSurrogate(bytes, at)) return 6
  const isPair = at + 8 > bytes.length || (bytes[at + 6] === 92 && bytes[at + 7] === 117)
  return isPair ? 12 : 6
}

/** Whether four hexadecimal digits are in D800 to DBFF. */
const isHighSurrogate = (bytes: Buffer, at: number) =>
  /^[dD][89abAB]/.test(bytes.toString('latin1', at + 2, at + 4))

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80
