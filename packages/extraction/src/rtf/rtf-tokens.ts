// Splits a document in Rich Text Format (1.9.1) into tokens. Text stays bytes, because its character set
// depends on the font.

export type RtfToken =
  | { kind: 'open' | 'close' }
  /** `\b0` has the name `b` and the number 0. Symbols such as `\*` have their sign as name. */
  | { kind: 'word'; name: string; number: number | null }
  /** One byte of text. */
  | { kind: 'byte'; byte: number }

const backslash = 0x5c
const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

/** Yields tokens; skips binary data. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte === 0x7b || byte === 0x7d) {
      yield { kind: byte === 0x7b ? 'open' : 'close' }
      at++
    } else if (byte === backslash) {
      const { token, end } = controlAt(bytes, at + 1)
      if (token) yield token
      const isBinary = token?.kind === 'word' && token.name === 'bin'
      at = end + (isBinary ? Math.max(0, token.number ?? 0) : 0)
    } else {
      // Line breaks of the file have no meaning.
      if (byte !== 0x0a && byte !== 0x0d && byte !== 0) yield { kind: 'byte', byte }
      at++
    }
  }
}

function controlAt(
  bytes: Uint8Array,
  at: number,
): { token: RtfToken | null; end: number } {
  const first = bytes[at]
  if (first === undefined) return { token: null, end: at }
  if (isLetter(first)) return wordAt(bytes, at)
  if (first !== 0x27)
    return {
      token: { kind: 'word', name: String.fromCharCode(first), number: null },
      end: at + 1,
    }
  const digits = String.fromCharCode(...bytes.subarray(at + 1, at + 3))
  const isByte = /^[\da-f]{2}$/i.test(digits)
  return {
    token: isByte ? { kind: 'byte', byte: Number.parseInt(digits, 16) } : null,
    end: at + (isByte ? 3 : 1),
  }
}

const maxDigits = 10

/** A space that ends a control word belongs to it. */
function wordAt(bytes: Uint8Array, from: number): { token: RtfToken; end: number } {
  let at = from
  while (at < bytes.length && isLetter(bytes[at]!)) at++
  const name = String.fromCharCode(...bytes.subarray(from, Math.min(at, from + 32)))
  const start = at
  if (bytes[at] === 0x2d && isDigit(bytes[at + 1] ?? 0)) at++
  while (at < bytes.length && isDigit(bytes[at]!) && at - start <= maxDigits) at++
  const number =
    at > start ? Number(String.fromCharCode(...bytes.subarray(start, at))) : null
  return { token: { kind: 'word', name, number }, end: bytes[at] === 0x20 ? at + 1 : at }
}
