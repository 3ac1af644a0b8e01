// Proper names in a question. An answer to "Do you deliver to Austria?" must name Austria, or is none.
import { plainText, searchableWords } from '@botstead/extraction'

/** Their nouns begin with a capital letter like names. */
const capitalizing = ['german', 'simple']
const codes: Record<string, string> = {
  danish: 'da',
  dutch: 'nl',
  finnish: 'fi',
  french: 'fr',
  german: 'de',
  hungarian: 'hu',
  italian: 'it',
  norwegian: 'no',
  portuguese: 'pt',
  romanian: 'ro',
  spanish: 'es',
  swedish: 'sv',
  turkish: 'tr',
}

/** Returns the words of names, as indexed: capitalized ones within a sentence, and countries in any letters. */
export function findNames(question: string, language: string): Set<string> {
  const names = new Set<string>()
  const add = (text: string) => {
    for (const word of searchableWords(plainText(text))) names.add(word)
  }
  const isShouted = question === question.toUpperCase()
  if (!isShouted && !capitalizing.includes(language))
    for (const [, name] of question.matchAll(
      /(?<=[\p{Ll}\p{N},;] )(\p{Lu}[\p{L}\p{N}]+)/gu,
    ))
      add(name!)
  const regions = listRegions(codes[language] ?? 'en')
  for (const word of searchableWords(plainText(question)))
    if (regions.has(word)) names.add(word)
  return names
}

const regionsByLanguage = new Map<string, Set<string>>()
const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))

/** Returns the names of countries that are one word, without accents. */
function listRegions(language: string): Set<string> {
  const known = regionsByLanguage.get(language)
  if (known) return known
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const regions = letters.flatMap((one) =>
    letters.map((other) => names.of(one + other) ?? ''),
  )
  const words = regions
    .map((name) => plainText(name))
    .filter((name) => /^\S{4,}$/.test(name))
  const found = new Set(words)
  regionsByLanguage.set(language, found)
  return found
}
