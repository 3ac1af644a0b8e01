// Marks raised, lowered and struck text while a reader collects it, because programs cut such text into
// several pieces. The marks are code points that no text has (Unicode, 23.7).
import { toSubscript, toSuperscript } from './raised-text.ts'

export interface TextStyle {
  isRaised?: boolean
  isLowered?: boolean
  isStruck?: boolean
}

const anyMark = /[\ufdd0-\ufdd5]/g
const marks = {
  isStruck: ['\ufdd0', '\ufdd1'],
  isRaised: ['\ufdd2', '\ufdd3'],
  isLowered: ['\ufdd4', '\ufdd5'],
} as const

export function marked(text: string, style: TextStyle): string {
  if (text === '') return ''
  const within = (content: string, name: keyof TextStyle) =>
    style[name] ? marks[name][0] + content + marks[name][1] : content
  const position = style.isRaised ? 'isRaised' : 'isLowered'
  return within(within(text.replaceAll(anyMark, ''), position), 'isStruck')
}

/**
 * Writes raised text as `10⁶`, lowered text as `H₂O`, and struck text as `~~10 €~~` like Markdown, unless
 * `keepsStruck` is false.
 */
export function resolveMarks(text: string, { keepsStruck = true } = {}): string {
  if (text.search(anyMark) < 0) return text
  return text
    .replaceAll(/\ufdd1(\s*)\ufdd0/g, '$1')
    .replaceAll(/\ufdd3\ufdd2|\ufdd5\ufdd4/g, '')
    .replaceAll(
      /\ufdd2([^\ufdd0-\ufdd5]*)\ufdd3/g,
      (_, content, at: number, all: string) =>
        toSuperscript(
          content,
          all.slice(Math.max(0, at - 20), at).replaceAll(anyMark, ''),
        ),
    )
    .replaceAll(/\ufdd4([^\ufdd0-\ufdd5]*)\ufdd5/g, (_, content) => toSubscript(content))
    .replaceAll(/\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g, (_, content) =>
      keepsStruck ? withTildes(content) : content,
    )
    .replaceAll(anyMark, '')
}

export const isStruckText = (text: string) => text.includes(marks.isStruck[0])

/** Spaces stay outside. */
const withTildes = (text: string) =>
  text.trim() === '' ? text : text.replace(text.trim(), (content) => `~~${content}~~`)
