// Authors' patterns. They run on RE2, which does not backtrack, so that no answer can block the
// bot.
import { RE2JS } from 're2js'

/** Returns the error of an invalid pattern, otherwise null. */
export function patternFault(pattern: string): string | null {
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
