// Conventions of languages and regions, from the CLDR data of Node.
import { memoize } from '../folding.ts'

/** A text with two readings: the user must choose. */
export interface Ambiguous {
  readings: string[]
}

/** Leaves out readings outside of the limits, if others are within. Returns the only one left. */
export function chooseWithin(
  { readings }: Ambiguous,
  isWithin: (reading: string) => boolean,
): string | Ambiguous {
  const allowed = readings.filter(isWithin)
  if (allowed.length === 1) return allowed[0]!
  return { readings: allowed.length > 0 ? allowed : readings }
}

/** How the user writes. */
export interface Conventions {
  /** BCP 47 tag. Undefined if it is not known. */
  locale?: string | undefined
  /** IANA name. An invalid name means UTC. */
  timezone: string
}

/** Languages of dates and numbers if the locale is not known, or its language has no such word. */
export const commonLanguages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl']

/** Returns why a text is not a locale with known conventions, otherwise null. */
export function localeFault(tag: string): string | null {
  try {
    const known = Intl.NumberFormat.supportedLocalesOf(tag).length > 0
    return known
      ? null
      : `names a language without known conventions: "${tag}". Use one such as "de"`
  } catch {
    return `is not a language tag of BCP 47: "${tag}". Use one such as "de" or "en-GB"`
  }
}

/** Returns the first text that is a known locale. */
export const firstLocale = (...tags: unknown[]): string | undefined =>
  tags.find(
    (tag): tag is string =>
      typeof tag === 'string' && tag.length <= 100 && localeFault(tag) === null,
  )

/** Returns the region that a locale names, as in "de-CH". */
export const findRegion = (locale: string | undefined) =>
  locale === undefined ? undefined : new Intl.Locale(locale).region

/** Remembers the results for the latest 50 locales. */
export const byLocale = <Result>(compute: (locale: string) => Result) =>
  memoize(compute, 50)
