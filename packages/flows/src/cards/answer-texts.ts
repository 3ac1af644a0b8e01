// The standard texts of the card `answer`, by the language of the question or of the user.
import { firstLocale } from '../captures/locales.ts'
import { findLanguage } from '../engine/answer-language.ts'
import type { Turn } from '../engine/turn.ts'

interface AnswerTexts {
  unknown: string
  didYouMean: string
  /** Above suggestions, below `unknown`. */
  perhaps: string
  source: string
  /** Above several. */
  sources: string
}

const english = {
  unknown: 'I do not know that.',
  didYouMean: 'Did you mean …?',
  perhaps: 'Perhaps one of these helps:',
  source: 'Source:',
  sources: 'Sources:',
}
const byLanguage: Record<string, AnswerTexts> = {
  en: english,
  de: {
    unknown: 'Das weiß ich nicht.',
    didYouMean: 'Meinten Sie …?',
    perhaps: 'Vielleicht hilft eines davon:',
    source: 'Quelle:',
    sources: 'Quellen:',
  },
  es: {
    unknown: 'No lo sé.',
    didYouMean: '¿Quiso decir …?',
    perhaps: 'Quizá le ayude algo de esto:',
    source: 'Fuente:',
    sources: 'Fuentes:',
  },
  fr: {
    unknown: 'Je ne le sais pas.',
    didYouMean: 'Vouliez-vous dire … ?',
    perhaps: 'L’une de ces rubriques vous aidera peut-être :',
    source: 'Source :',
    sources: 'Sources :',
  },
  it: {
    unknown: 'Non lo so.',
    didYouMean: 'Intendeva …?',
    perhaps: 'Forse Le è utile una di queste voci:',
    source: 'Fonte:',
    sources: 'Fonti:',
  },
  pt: {
    unknown: 'Não sei.',
    didYouMean: 'Quis dizer …?',
    perhaps: 'Talvez uma destas opções ajude:',
    source: 'Fonte:',
    sources: 'Fontes:',
  },
  nl: {
    unknown: 'Dat weet ik niet.',
    didYouMean: 'Bedoelde u …?',
    perhaps: 'Misschien helpt een van deze onderwerpen:',
    source: 'Bron:',
    sources: 'Bronnen:',
  },
  ja: {
    unknown: '申し訳ありませんが、わかりません。',
    didYouMean: 'お探しの内容はどれですか？',
    perhaps: '次の項目がお役に立つかもしれません。',
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
