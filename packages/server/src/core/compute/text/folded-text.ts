// Writes other forms of characters as people read them, before patterns are matched: digits of all
// scripts and full-width characters as ASCII, spaces, dashes and dots of all kinds as one kind; leaves
// out invisible characters. Positions lead back to the text, which stays as it is.
import { memoize, withAsciiDigits } from '@botstead/flows/folding'
import type { Match } from './automaton.ts'

export interface FoldedText {
  text: string
  /** Returns the part of the original text. */
  toOriginal(match: Match): Match
}

const usual = /^[\t-\r -~]*$/

/** Returns null if the text has its usual form. */
export function foldText(text: string): FoldedText | null {
  if (usual.test(text)) return null
  let folded = ''
  /** By position in the folded text: where its character begins and ends in the original. */
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const character of text) {
    const form = toForm(character)
    folded += form
    const end = at + character.length
    for (let i = 0; i < form.length; i++) {
      // A character that stays may be two units, which are matched together.
      starts.push(form === character ? at + i : at)
      ends.push(form === character ? at + i + 1 : end)
    }
    if (form === '' && belongsToBefore.test(character)) ends[ends.length - 1] = end
    at = end
  }
  if (folded === text) return null
  return {
    text: folded,
    toOriginal: ({ start, end }) => ({ start: starts[start]!, end: ends[end - 1]! }),
  }
}

/** Variants and frames of the character before, as in keycaps. */
const belongsToBefore = /[\ufe00-\ufe0f]|\u20e3/

const toForm = (character: string): string =>
  character.length === 1 && character >= ' ' && character <= '~'
    ? character
    : toOtherForm(character)

const kinds: [RegExp, string][] = [
  [/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]|\u20e3/u, ''],
  [/[\p{Z}\u2800]/u, ' '],
  [/[\p{Pd}\u2212\u2043\u02d7\u00af]/u, '-'],
  [/[\u00b7\u0387\u06d4\u2022\u2024\u2027\u2219\u22c5\u3002\u30fb\uff61\uff65]/u, '.'],
  [/[\u2044\u2215\u29f8]/u, '/'],
]

const toOtherForm = memoize((character): string => {
  if (/[\t-\r]/.test(character)) return character
  for (const [kind, form] of kinds) if (kind.test(character)) return form
  if (/\p{Nd}/u.test(character)) return withAsciiDigits(character)
  const compatible = character.normalize('NFKC')
  return /^[!-~]+$/.test(compatible) ? compatible : character
}, 20_000)
