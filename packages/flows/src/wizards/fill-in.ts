// Translates the texts of wizards into languages that a document got later, and adds the words that users of
// these languages write. Texts and lists of words that their author has changed stay as they are.

import { escapePointer } from '../document/pointer.ts'
import { applyEdits, type DocumentEdit, type Json } from '../edits/edit.ts'
import {
  listTextCards,
  listTranslations,
  readLanguages,
  toObject,
} from '../texts/catalogue.ts'
import { listFallbacks } from '../texts/languages.ts'
import { type TextChange, toTextEdits } from '../texts/text-edits.ts'
import { dialogueKinds } from './answers.ts'
import { readBeginnings, toBeginningsEdit, toPhrase } from './reach.ts'
import { recognize } from './recognition.ts'
import { toKnownLanguage, wordsIn } from './text.ts'
import type { TextId } from './texts/en.ts'

export interface FilledIn {
  edits: DocumentEdit[]
  /** Number of translations. */
  texts: number
  /** Number of lists of words that get more. */
  words: number
}

const nothing: FilledIn = { edits: [], texts: 0, words: 0 }

/**
 * Returns the edits that add all that the wizards know in the languages of the document, and their numbers.
 * A draft may have any value anywhere.
 */
export function fillIn(document: Json): FilledIn {
  const { original, translations } = readLanguages(document)
  if (original === undefined || toKnownLanguage(original) === undefined) return nothing
  const all = [original, ...Object.keys(translations)]
  // Users of `de-AT` get the texts of `de`, if the bot has them.
  const languages = all.filter(
    (one) =>
      one !== original &&
      toKnownLanguage(one) !== undefined &&
      !listFallbacks(one).some((general) => general !== one && all.includes(general)),
  )
  const changes = listChanges(document, original, languages)
  const added = { original, languages }
  const words = [...listCancelWords(document, added), ...listBeginnings(document, added)]
  return {
    edits: [...toTextEdits(document, changes).edits, ...words],
    texts: changes.length,
    words: words.length,
  }
}

function listChanges(
  document: Json,
  original: string,
  languages: string[],
): TextChange[] {
  return listTranslations(document).texts.flatMap(
    ({ key, text, pointer, translations }) => {
      const missing = languages.filter((one) => translations[one]?.state === 'missing')
      const found =
        pointer === null || missing.length === 0 ? null : recognize(text, original)
      return missing.flatMap((language): TextChange[] => {
        const translated = found?.(language) ?? null
        return translated === null ? [] : [{ key, language, text: translated }]
      })
    },
  )
}

interface AddedLanguages {
  original: string
  languages: string[]
}

/**
 * Returns the words that the lists lack: those of each language of which no word is there, if all of the
 * original are.
 */
function listMissing(
  words: string[],
  ids: TextId[],
  { original, languages }: AddedLanguages,
  toWord: (word: string) => string,
): string[] {
  const read = (id: TextId, one: string[]) => wordsIn(id, one).map(toWord)
  const used = ids.filter((id) =>
    read(id, [original]).every((word) => words.includes(word)),
  )
  return used.flatMap((id) =>
    languages.flatMap((language) => {
      const others = read(id, [original, ...languages.filter((one) => one !== language)])
      const own = read(id, [language]).filter((word) => !others.includes(word))
      const isKnown = own.length === 0 || own.some((word) => words.includes(word))
      return isKnown ? [] : read(id, [language]).filter((word) => !words.includes(word))
    }),
  )
}

const cancelIds: TextId[] = ['cancelWords', 'skipWords', 'otherDayWords']

const listCancelWords = (document: Json, added: AddedLanguages): DocumentEdit[] =>
  listTextCards(document).flatMap(
    ({ card: { cancelWords: words }, pointer }): DocumentEdit[] => {
      if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
        return []
      const missing = listMissing(words, cancelIds, added, (word) => word)
      const value = [...new Set([...words, ...missing])]
      return missing.length === 0
        ? []
        : [{ op: 'set', pointer: `${pointer}/cancelWords`, value }]
    },
  )

const beginningIds = dialogueKinds.flatMap((kind): TextId[] => [
  `${kind}Words`,
  `${kind}Button`,
])

/** Words in messages that begin dialogues. */
const listBeginnings = (document: Json, added: AddedLanguages): DocumentEdit[] =>
  Object.entries(toObject(document.triggers)).flatMap(
    ([name, trigger]): DocumentEdit[] => {
      const phrases = readBeginnings(trigger)
      if (phrases === null) return []
      const missing = listMissing(phrases, beginningIds, added, toPhrase)
      const pointer = `/triggers/${escapePointer(name)}`
      return missing.length === 0
        ? []
        : [toBeginningsEdit(pointer, trigger, [...new Set([...phrases, ...missing])])]
    },
  )

/** Returns the edits that add a language, and those of `fillIn` after them. */
export function withFilledIn(document: Json, edits: DocumentEdit[]): FilledIn {
  const filled = fillIn(applyEdits(document, edits) as Json)
  return { ...filled, edits: [...edits, ...filled.edits] }
}
