// The schema of the translations of a bot.
import { closed } from '@botstead/contract'
import { Type as T } from 'typebox'
import { about, named } from './shapes.ts'

export const Translation = T.Union([
  T.String({ maxLength: 100_000 }),
  closed({
    text: about('Text in the language', T.String({ maxLength: 100_000 })),
    original: about(
      'Text of which the translation was made. If the flow has another one now, it is to be checked',
      T.Optional(T.String({ maxLength: 100_000 })),
    ),
  }),
])

/** Checked in check/translations.ts, with better messages than patterns have. */
const LanguageTag = T.String({ minLength: 2, maxLength: 35 })

export const Languages = closed({
  default: about(
    'Language of the texts in the flows, as a tag of BCP 47 such as `en`',
    LanguageTag,
  ),
  translations: T.Optional(
    named(
      LanguageTag,
      named(T.String({ maxLength: 1000 }), Translation, 'Translations by key'),
      'Translations by language, then by key: `textKey` of the card, and the path of the text in it',
    ),
  ),
})
