// The standard texts of the card `answer`, by the language of the question or of the user.
import { firstLocale } from '../captures/locales.ts'
import { findLanguage } from '../engine/language.ts'
import type { Turn } from '../engine/turn.ts'

interface AnswerTexts {
  unknown: string
  didYouMean: string
  source: string
  /** Above several. */
  sources: string
}

const english = {
  unknown: 'I do not know that.',
  didYouMean: 'Did you mean …?',
  source: 'Source:',
  sources: 'Sources:',
}
const byLanguage: Record<string, AnswerTexts> = {
  en: english,
  de: {
    unknown: 'Das weiß ich nicht.',
    didYouMean: 'Meinten Sie …?',
    source: 'Quelle:',
    sources: 'Quellen:',
  },
  es: {
    unknown: 'No lo sé.',
    didYouMean: '¿Quiso decir …?',
    source: 'Fuente:',
    sources: 'Fuentes:',
  },
  fr: {
    unknown: 'Je ne le sais pas.',
    didYouMean: 'Vouliez-vous dire … ?',
    source: 'Source :',
    sources: 'Sources :',
  },
  it: {
    unknown: 'Non lo so.',
    didYouMean: 'Intendeva …?',
    source: 'Fonte:',
    sources: 'Fonti:',
  },
  pt: { unknown: 'Não sei.', didYouMean: 'Quis dizer …?', source: 'Fonte:', sources: 'Fontes:' },
  nl: {
    unknown: 'Dat weet ik niet.',
    didYouMean: 'Bedoelde u …?',
    source: 'Bron:',
    sources: 'Bronnen:',
  },
  ja: {
    unknown: '申し訳ありませんが、わかりません。',
    didYouMean: 'お探しの内容はどれですか？',
    source: '出典:',
    sources: '出典:',
  },
}

const codes: Record<string, string> = {
  english: 'en',
  german: 'de',
  spanish: 'es',
  french: 'fr',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  japanese: 'ja',
}

/** Returns the code of a language by the name that the search has for it; null for others. */
export const toLanguageCode = (name: string): string | null =>
  Object.hasOwn(codes, name) ? codes[name]! : null

/**
 * Returns the texts in the language, or in that of the user's locale if it is null. English in place of
 * languages without texts.
 */
export function toAnswerTexts(turn: Turn, language: string | null): AnswerTexts {
  const { languages, settings } = turn.engine.program.document
  const visitors = languages ? findLanguage(turn) : null
  const locale = () => firstLocale(turn.user.locale, visitors, settings?.defaults?.locale)
  const code = (language ?? locale() ?? 'en').toLowerCase().split('-')[0]!
  return Object.hasOwn(byLanguage, code) ? byLanguage[code]! : english
}
