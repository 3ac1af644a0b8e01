// The language of the user, and the texts of a bot in it.

import { firstLocale } from '../captures/locales.ts'
import type { Card } from '../document/card-shapes.ts'
import type { FlowDocument, Settings } from '../document/document.ts'
import { listCardTexts, withText } from '../texts/card-texts.ts'
import {
  findStandardKey,
  findTextKey,
  listSharedKeys,
  listTextCards,
  retryKey,
} from '../texts/catalogue.ts'
import {
  findText,
  type Languages,
  type LanguageTexts,
  openLanguages,
  toLanguageTag,
} from '../texts/languages.ts'
import { findLanguage } from './answer-language.ts'
import type { DeliveredEvent } from './event-types.ts'
import type { Turn } from './turn.ts'

interface Opened {
  languages: Languages
  texts: Map<string, LanguageTexts>
  shared: Set<string>
}

const opened = new WeakMap<FlowDocument, Opened>()

/** Returns null for a document without languages. */
function open({ engine }: Turn): Opened | null {
  const { document } = engine.program
  const { languages } = document
  if (!languages) return null
  const known = opened.get(document)
  if (known) return known
  const shared = listSharedKeys(listTextCards(document))
  const all = { languages, texts: openLanguages(languages), shared }
  opened.set(document, all)
  return all
}

/** Returns the language of the browser, which the chat page and the widget add to each message. */
export function readLanguage({ type, payload }: DeliveredEvent): string | null {
  const { message } = (type === 'message_created' ? payload : {}) as {
    message?: { payload?: { metadata?: { language?: unknown } } }
  }
  return toLanguageTag(message?.payload?.metadata?.language)
}

/** Returns the conventions in which the user writes numbers, dates and phone numbers. */
export const findLocale = (turn: Turn): string | undefined =>
  firstLocale(
    turn.engine.program.document.settings?.defaults?.locale,
    turn.user.locale,
    open(turn) && findLanguage(turn),
  )

/** Returns the card with its texts in the language of the user. */
export function translateCard<Translated extends Card>(
  turn: Turn,
  card: Translated,
): Translated {
  const all = open(turn)
  const cardKey = findTextKey(card)
  if (!all || cardKey === undefined) return card
  const [language, isShared] = [findLanguage(turn), all.shared.has(cardKey)]
  return listCardTexts(card).reduce((translated, { path, key, text }) => {
    const original = { key: `${cardKey}/${key}`, text, isShared }
    const found = findText(original, language, all.languages, all.texts)
    return found === text ? translated : withText(translated, path, found)
  }, card)
}

/** What captures need of the language; nothing for a document without languages. */
export function captureLanguage(turn: Turn): {
  language?: string | undefined
  translate?: (sentence: string) => string
} {
  const all = open(turn)
  if (!all) return {}
  const language = findLanguage(turn)
  return {
    language: language ?? undefined,
    translate(sentence) {
      const key = findStandardKey(sentence)
      return key
        ? findText({ key, text: sentence }, language, all.languages, all.texts)
        : sentence
    },
  }
}

/** Returns the defaults of captures with their message in the language of the user. */
export function translateDefaults(
  turn: Turn,
  defaults: Settings['defaults'],
): Settings['defaults'] {
  const all = open(turn)
  const text = defaults?.retryMessage
  if (!all || text === undefined) return defaults
  const original = { key: retryKey, text }
  return {
    ...defaults,
    retryMessage: findText(original, findLanguage(turn), all.languages, all.texts),
  }
}
