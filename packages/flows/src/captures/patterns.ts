// Authors' patterns. They never run on an engine that goes back and forth: nobody's answer makes a bot think for ever.
import { RE2JS } from 're2js'

/** Why it is no pattern, or null. */
export function patternFault(pattern: string): string | null {
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
