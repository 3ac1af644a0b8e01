// The appearance of a chat as the server stores it, and as the form edits it.
import { completeAddress } from '../../parts/forms/web-address.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.chat
const maxSuggestions = 6
const maxSuggestionLength = 150

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

export const toDraft = (
  { suggestions = [], ...look }: Appearance,
  origins: string[],
): Draft => ({
  name: '',
  avatarUrl: '',
  greeting: '',
  language: '',
  ...defaults,
  ...look,
  suggestions: suggestions.join('\n'),
  origins: origins.join('\n'),
})

/** Omits default values. */
export function toSettings({ suggestions, origins, ...look }: Draft) {
  const chosen = Object.entries(look).filter(
    ([name, value]) => value !== '' && value !== defaults[name as keyof typeof defaults],
  )
  const questions = toLines(suggestions)
  const appearance: Appearance = {
    ...Object.fromEntries(chosen),
    ...(questions.length > 0 && { suggestions: questions }),
  }
  return { appearance, allowedOrigins: toLines(origins).map(toOrigin) }
}

/** Returns the origins that differ from their lines; the form shows them before they are stored. */
export const completedOrigins = ({ origins }: Draft): string[] =>
  toLines(origins).flatMap((line) => {
    const origin = toOrigin(line)
    return isOrigin(origin) && origin !== line ? [origin] : []
  })

/** Returns the errors of fields, by their names. */
export function findErrors({ avatarUrl, color, suggestions, origins }: Draft) {
  const questions = toLines(suggestions)
  const long = questions.find((line) => line.length > maxSuggestionLength)
  const wrong = toLines(origins).find((line) => !isOrigin(toOrigin(line)))
  return {
    ...(!/^#[\da-f]{6}$/i.test(color) && {
      color: texts.common.errors.colour(defaults.color),
    }),
    ...(avatarUrl !== '' &&
      !/^https?:\/\/\S+$/.test(avatarUrl) && { avatarUrl: t.notAddress }),
    ...(long && { suggestions: t.longSuggestion(long) }),
    ...(questions.length > maxSuggestions && { suggestions: t.tooManySuggestions }),
    ...(wrong && {
      origins: t.notOrigin(wrong, originOf(wrong) ?? 'https://www.example.org'),
    }),
  }
}

const isOrigin = (address: string) => originOf(address) === address

function originOf(address: string): string | null {
  const { origin = '' } = URL.canParse(address) ? new URL(address) : {}
  // The parser encodes spaces, which no name has.
  return /^https?:[^%]+$/.test(origin) ? origin : null
}

const toLines = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

/**
 * Completes an address as people write it: `Example.org/` becomes `https://example.org`. Returns others
 * as they are, such as those with a path, which would not limit anything.
 */
function toOrigin(line: string): string {
  const address = /^\w+:(?!\d)/.test(line) ? line : completeAddress(line)
  if (!URL.canParse(address)) return line
  const { origin, pathname, search, hash } = new URL(address)
  return pathname === '/' && !search && !hash && origin !== 'null' ? origin : line
}
