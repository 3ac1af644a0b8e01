// Writes other forms of characters as people read them, before patterns are matched: digits of all
// scripts and full-width characters as ASCII, spaces, dashes and dots of all kinds as one kind; leaves
// out invisible characters. Positions lead back to the text, which stays as it is.
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
    const form = formOf(character)
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

const maxForms = 20_000
const forms = new Map<string, string>()

function formOf(character: string): string {
  if (character.length === 1 && character >= ' ' && character <= '~') return character
  const known = forms.get(character)
  if (known !== undefined) return known
  if (forms.size >= maxForms) forms.clear()
  const form = findForm(character)
  forms.set(character, form)
  return form
}

const kinds: [RegExp, string][] = [
  [/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]|\u20e3/u, ''],
  [/[\p{Z}\u2800]/u, ' '],
  [/[\p{Pd}\u2212\u2043\u02d7\u00af]/u, '-'],
  [/[\u00b7\u0387\u06d4\u2022\u2024\u2027\u2219\u22c5\u3002\u30fb\uff61\uff65]/u, '.'],
  [/[\u2044\u2215\u29f8]/u, '/'],
]

function findForm(character: string): string {
  if (/[\t-\r]/.test(character)) return character
  for (const [kind, form] of kinds) if (kind.test(character)) return form
  if (/\p{Nd}/u.test(character)) return String(digitOf(character.codePointAt(0)!))
  const compatible = character.normalize('NFKC')
  return /^[!-~]+$/.test(compatible) ? compatible : character
}

/** Digits of a script follow each other from zero; some scripts follow each other, too. */
function digitOf(code: number): number {
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return before % 10
}
