// The appearance of a chat as the server stores it, and as the form edits it.

/** As in the configuration of the integrations `chat` and `webchat`; absent is the default. */
export interface Appearance {
  name?: string
  avatarUrl?: string
  color?: string
  radius?: number
  theme?: 'system' | 'light' | 'dark'
  position?: 'right' | 'left'
  greeting?: string
  suggestions?: string[]
  language?: string
  uploads?: boolean
}

export interface Draft extends Required<Omit<Appearance, 'suggestions' | 'language'>> {
  /** One per line. */
  suggestions: string
  /** Empty for the language of the visitor. */
  language: string
  /** One per line. */
  origins: string
}

type Defaults = Pick<Draft, 'color' | 'radius' | 'theme' | 'position' | 'uploads'>
export const defaults: Defaults = {
  color: '#1f5c4a',
  radius: 18,
  theme: 'system',
  position: 'right',
  uploads: true,
}

export const draftOf = ({ suggestions = [], ...look }: Appearance, origins: string[]): Draft => ({
  ...{ name: '', avatarUrl: '', greeting: '', language: '' },
  ...defaults,
  ...look,
  suggestions: suggestions.join('\n'),
  origins: origins.join('\n'),
})

/** Omits default values. */
export function settingsOf({ suggestions, origins, ...look }: Draft) {
  const chosen = Object.entries(look).filter(
    ([name, value]) => value !== '' && value !== defaults[name as keyof typeof defaults],
  )
  const questions = linesOf(suggestions)
  const appearance: Appearance = {
    ...Object.fromEntries(chosen),
    ...(questions.length > 0 && { suggestions: questions }),
  }
  return { appearance, allowedOrigins: linesOf(origins).map(toOrigin) }
}

const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

/**
 * Completes an address as people write it: `Example.org/`. The server explains others,
 * such as those with a path, which would not limit anything.
 */
function toOrigin(line: string): string {
  const address = /^\w+:/.test(line) && !/^[\w.-]+:\d+/.test(line) ? line : `https://${line}`
  if (!URL.canParse(address)) return line
  const { origin, pathname, search, hash } = new URL(address)
  return pathname === '/' && !search && !hash && origin !== 'null' ? origin : line
}
