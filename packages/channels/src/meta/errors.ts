// Errors of Meta's Graph API, in plain words, with the remedy
// (https://developers.facebook.com/docs/graph-api/guides/error-handling).
import { ChannelError, type ChannelErrorKind } from '../channel.ts'

export interface GraphError {
  message?: string
  code?: number
  error_subcode?: number
  is_transient?: boolean
  error_data?: { details?: string } | string | null
}

export interface Explanation {
  codes?: number[]
  subcodes?: number[]
  /** Of Meta's message; for errors that share a code. */
  pattern?: RegExp
  kind: ChannelErrorKind
  text: string
}

const common: Explanation[] = [
  {
    pattern: /appsecret_proof/i,
    kind: 'credentials',
    text:
      'The app secret is not of the app that made the access token. Copy it again: App ' +
      'settings, Basic, App secret; and look whether the token was made for the same app.',
  },
  {
    codes: [190, 102],
    kind: 'credentials',
    text:
      'Meta does not accept the access token: it is incomplete, revoked or expired. Make it again, as the ' +
      'steps say.',
  },
  {
    codes: [3, 10, ...Array.from({ length: 100 }, (_, i) => 200 + i)],
    kind: 'credentials',
    text: 'The access token lacks a permission. Make it again, with the permissions of the description.',
  },
  {
    codes: [4, 17, 32, 613, 80007],
    kind: 'limited',
    text: 'Too many calls of Meta for now.',
  },
  { codes: [1, 2], kind: 'unavailable', text: 'A failure of Meta.' },
]

/** Returns the error with its explanation, and the words of Meta after it. */
export function toChannelError(
  error: GraphError,
  status: number,
  retryAfterMs: number | null,
  explanations: Explanation[],
): ChannelError {
  const words = toWords(error, status)
  const found = [...explanations, ...common].find((one) => matches(one, error))
  const kind = found?.kind ?? toKind(error, status)
  const message = found ? `${found.text} (Meta: ${words})` : `Meta: ${words}`
  return new ChannelError(
    kind,
    message,
    kind === 'limited' ? (retryAfterMs ?? 2_000) : null,
  )
}

function matches({ codes, subcodes, pattern }: Explanation, error: GraphError): boolean {
  return (
    (codes === undefined || codes.includes(error.code ?? -1)) &&
    (subcodes === undefined || subcodes.includes(error.error_subcode ?? -1)) &&
    (pattern === undefined || pattern.test(error.message ?? ''))
  )
}

/** Returns what Meta says, with the numbers that its documentation lists. */
export function toWords(
  { message, code, error_data }: GraphError,
  status?: number,
): string {
  const details = typeof error_data === 'object' ? error_data?.details : error_data
  const said = [message, details].filter(Boolean).join(': ') || `status ${status}`
  return `${said}${code === undefined ? '' : ` [${code}]`}`.slice(0, 600)
}

function toKind({ is_transient }: GraphError, status: number): ChannelErrorKind {
  if (status === 429) return 'limited'
  if (is_transient || status >= 500) return 'unavailable'
  return status === 401 ? 'credentials' : 'rejected'
}
