// The language of the user, and that in which the bot answers.
import type { FlowDocument } from '../document/document.ts'
import { listFallbacks, toLanguageTag } from '../texts/languages.ts'
import type { BotEvent } from './event-types.ts'

/** The part of a turn that decides the language. */
interface Addressed {
  engine: { program: { document: Pick<FlowDocument, 'languages'> } }
  event: Pick<BotEvent, 'tags'>
  user: Record<string, unknown>
  remembered: { language?: string }
}

/** Names of tags with a language, also of integrations: `telegram:language`. */
const languageTag = /(?:^|:)(?:locale|language)$/

const inTags = (tags: BotEvent['tags']) =>
  Object.entries(tags?.user ?? {}).find(
    ([name, value]) => languageTag.test(name) && toLanguageTag(value) !== null,
  )?.[1]

/**
 * Returns the language of the user as a canonical tag: the variable `user.locale`, a tag of the user, or the
 * language of the browser. Null if it is not known.
 */
export const findLanguage = ({ user, event, remembered }: Addressed): string | null =>
  toLanguageTag(user.locale) ??
  toLanguageTag(inTags(event.tags)) ??
  remembered.language ??
  null

function hasTexts(translations: object): boolean {
  for (const _ in translations) return true
  return false
}

/**
 * Returns the language in which the bot answers the user: the closest one that the bot has. Null for a
 * document without languages. Languages without a translation do not count: all of their texts are in the
 * default.
 */
export function findAnswerLanguage(turn: Addressed): string | null {
  const { languages } = turn.engine.program.document
  if (!languages) return null
  const { default: original, translations = {} } = languages
  const language = findLanguage(turn)
  const has = (tag: string) =>
    tag === original || (Object.hasOwn(translations, tag) && hasTexts(translations[tag]!))
  return (language === null ? undefined : listFallbacks(language).find(has)) ?? original
}
