// Detects the language of a text, to select PostgreSQL's text search configuration for stemming.

/** Configurations of PostgreSQL by the languages that use the Latin alphabet (ISO 639-1). */
const configurations = {
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  lt: 'lithuanian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  sv: 'swedish',
  tr: 'turkish',
} as const

const scripts = [
  ['russian', /\p{Script=Cyrillic}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['hindi', /\p{Script=Devanagari}/gu],
] as const

export type Language =
  | (typeof configurations)[keyof typeof configurations]
  | (typeof scripts)[number][0]
  | 'simple'

/** Characters that suffice for detection. */
const sampleLength = 20_000

/** Returns `simple`, which does not stem words, when the language is unknown. */
export async function detectLanguage(text: string): Promise<Language> {
  const sample = text.slice(0, sampleLength)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const script = scripts.find(
    ([, letter]) => (sample.match(letter)?.length ?? 0) > letters / 2,
  )
  if (script) return script[0]
  // On demand: it reads a megabyte of frequencies.
  const { eld } = await import('eld/extrasmall')
  const found = eld.detect(sample)
  const { language } = found
  return language in configurations && found.isReliable()
    ? configurations[language as keyof typeof configurations]
    : 'simple'
}
