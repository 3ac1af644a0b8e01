// The reason in the body of a provider's error. Servers with the API of OpenAI have many forms of it.

type Json = Record<string, unknown>

/** In the order of their use. */
const fields = [
  'error',
  'message',
  'detail',
  'errors',
  'error_description',
  'msg',
  'reason',
  'title',
]
const maxDepth = 5
const maxReasons = 5
const maxLength = 2_000

/** Returns the text of the reason in one line, or '' for a body without one. */
export function reasonIn(body: string | undefined): string {
  const text = body?.trim() ?? ''
  if (text === '') return ''
  try {
    return inLine(findReason(JSON.parse(text), 0))
  } catch {
    return inLine(isMarkup(text) ? findTitle(text) : text)
  }
}

function findReason(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > maxDepth) return ''
  if (Array.isArray(value)) {
    const reasons = value.slice(0, maxReasons).map((one) => findReason(one, depth + 1))
    return reasons.filter(Boolean).join('; ')
  }
  for (const field of fields) {
    const reason = findReason((value as Json)[field], depth + 1)
    if (reason.trim() !== '') return withPlace(reason, (value as Json).loc)
  }
  return ''
}

/** FastAPI names the field beside its message: `["body", "messages", 0]`. */
const withPlace = (reason: string, place: unknown) =>
  Array.isArray(place) ? `${place.map(String).slice(0, 10).join('.')}: ${reason}` : reason

const isMarkup = (text: string) => /^<(?:!doctype|html|\?xml|head|body)/i.test(text)

/** Pages of proxies: their title says what they are. */
const findTitle = (text: string) =>
  /<title>([^<]{1,300})<\/title>/i.exec(text.slice(0, 20_000))?.[1] ?? ''

const inLine = (text: string) => text.slice(0, maxLength).replaceAll(/\s+/g, ' ').trim()
