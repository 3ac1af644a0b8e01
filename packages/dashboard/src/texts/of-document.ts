// Texts that packages/flows has in English: helps of fields, and problems that the check of a document finds.
// Only the page of flows loads their translations.
import { language } from './in-language.ts'

/** By the English texts. Those of problems have `{}` in place of each value. */
interface Translation {
  helps: Record<string, string>
  problems: Record<string, string>
}

const files = import.meta.glob<Translation>('./*/document.ts')
let helps: Translation['helps'] = {}
let sentences: Sentence[] = []

/** Loads the translations, beside the page that needs them. English needs none. */
export async function loadDocumentTexts(): Promise<void> {
  const translation = await files[`./${language.split('-')[0]}/document.ts`]?.()
  if (!translation) return
  helps = translation.helps
  sentences = toSentences(translation.problems)
}

export const translateHelp = (help: string): string => helps[help] ?? help

export const translateProblem = (message: string): string =>
  translateSentence(message, sentences)

interface Sentence {
  pattern: RegExp
  /** With the position of each value: `{1}`. */
  translation: string
  /** Positions of values that may be parts of sentences, such as `the node "menu"`: those without quotes. */
  parts: Set<number>
}

/** The most specific first: `must be at least {}` before `must be {}`. */
export const toSentences = (translations: Record<string, string>): Sentence[] =>
  Object.entries(translations)
    .map(toSentence)
    .sort((one, other) => other.pattern.source.length - one.pattern.source.length)

/** Returns an unknown sentence as it is. */
export function translateSentence(message: string, known: Sentence[]): string {
  for (const { pattern, translation, parts } of known) {
    const values = pattern.exec(message)
    if (!values) continue
    return translation.replaceAll(/\{(\d)\}/g, (_, position) => {
      const value = values[Number(position)] ?? ''
      return parts.has(Number(position)) ? translateSentence(value, known) : value
    })
  }
  return message
}

function toSentence([english, translation]: [string, string]): Sentence {
  const around = english.split('{}')
  const source = around
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('(.+?)')
  const quoted = /(?:["`{]|\{ )$/
  return {
    pattern: new RegExp(`^${source}$`, 's'),
    translation,
    parts: new Set(
      around.flatMap((before, index) => (quoted.test(before) ? [] : [index + 1])),
    ),
  }
}
