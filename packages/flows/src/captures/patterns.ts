// Patterns of this package, and those of authors. The latter run on RE2, which does not backtrack, so that
// no answer can block the bot.
import { RE2JS } from 're2js'

/** Returns a pattern for one of the words, which spaces separate; "_" stands for a space. */
export const oneOf = (words: string) =>
  `(?:${words.trim().split(/\s+/).join('|').replaceAll('_', ' ')})`

/** Returns the error of an invalid pattern, otherwise null. */
export function patternFault(pattern: string): string | null {
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
