// Names of languages, so that people need not know their tags.
import { language } from '../../../texts/in-language.ts'

const tags =
  `af am ar ar-EG az be bg bn bs ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-IN en-US es es-419
  es-AR es-ES es-MX et eu fa fi fil fr fr-BE fr-CA fr-CH ga gl gu he hi hr hu hy id is it it-CH ja ka kk km kn
  ko ky lb lo lt lv mk ml mn mr ms my nb ne nl nl-BE nn pa pl ps pt pt-BR pt-PT ro ru si sk sl sq sr sr-Latn
  sv sw ta te th tr uk ur uz vi zh zh-Hans zh-Hant zh-HK zu`.split(/\s+/)

const names = new Intl.DisplayNames(language, {
  type: 'language',
  languageDisplay: 'standard',
})

/** Returns the name, or the tag of an unknown language. */
export function nameLanguage(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Returns languages to choose from, in the order of their names. */
export const listLanguages = (): { value: string; label: string }[] =>
  tags
    .map((value) => ({ value, label: nameLanguage(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, language))
