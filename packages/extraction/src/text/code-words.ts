// Codes such as order numbers, versions and addresses, which people write with other separators: "AB-1234",
// "AB 1234" and "AB1234" have common words.

/** Tokens that are one code, or a single word. */
interface TokenGroup {
  /** Letters and digits of a code are separate parts. */
  parts: string[]
  /** Null for a word, and for a group too long for a code. */
  joined: string | null
  tokens: string[]
}

const maxParts = 12
const maxLength = 40

/** Takes linear time. */
export function groupTokens(text: string): TokenGroup[] {
  const groups: string[][] = []
  let end = 0
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const before = groups.at(-1)
    const gap = text.slice(end, Math.min(index, end + 2))
    if (before && isJoint(before.at(-1)!, gap, token)) before.push(token)
    else groups.push([token])
    end = index + token.length
  }
  return groups.map(toGroup)
}

/** Spaces separate parts of a code only around digits: "AB 1234", "0123 4567". */
function isJoint(before: string, gap: string, after: string): boolean {
  if (/^[-_./\\:#+·\u2010-\u2013]$/.test(gap)) return true
  if (/^[,'’]$/.test(gap)) return /\p{N}$/u.test(before) && /^\p{N}/u.test(after)
  return (
    gap === ' ' && hasDigit(after) && (hasDigit(before) || /^\p{Lu}{1,4}$/u.test(before))
  )
}

const hasDigit = (token: string) => /\p{N}/u.test(token)

function toGroup(tokens: string[]): TokenGroup {
  const isWord = tokens.length === 1 && !hasDigit(tokens[0]!)
  if (isWord || tokens.length > maxParts) return { tokens, parts: tokens, joined: null }
  const parts = tokens.flatMap((token) => token.match(/\p{N}+|[^\p{N}]+/gu) ?? [])
  const joined = parts.join('')
  const isCode =
    parts.length > 1 && parts.length <= maxParts && joined.length <= maxLength
  return isCode ? { tokens, parts, joined } : { tokens, parts: tokens, joined: null }
}

/** Returns the words of codes that the text does not have as words. */
export function listSpellings(text: string): string[] {
  if (!mayHaveCodes(text)) return []
  return groupTokens(text).flatMap(({ tokens, parts, joined }) => {
    if (joined === null) return []
    const more =
      tokens.length === 1
        ? parts
        : [joined, ...partsWithin(tokens), ...pairsWithin(tokens)]
    return more.map((word) => word.toLowerCase())
  })
}

/** Most sentences have neither digits nor words with a joint. */
const mayHaveCodes = (text: string) =>
  /\p{N}|[-_./\\:#+·\u2010-\u2013][\p{L}\p{M}]/u.test(text)

const partsWithin = (tokens: string[]) =>
  tokens.flatMap((token) => {
    const parts = token.match(/\p{N}+|[^\p{N}]+/gu) ?? []
    return parts.length > 1 ? parts : []
  })

/** "ISO9001" in "ISO 9001:2015". */
const pairsWithin = (tokens: string[]) =>
  tokens.length < 3
    ? []
    : tokens.slice(1).flatMap((token, at) => {
        const before = tokens[at]!
        return hasDigit(before) === hasDigit(token) ? [] : [before + token]
      })
