// A conversation as a test: in the document, or as a script of `botstead test`.

/** A message. `payload` has its `type`, too. */
export interface Recorded {
  payload: unknown
  isOwn: boolean
  createdAt?: string | undefined
}

type Step = { user: unknown } | { bot: unknown }

/** Returns a test that expects the same answers to the same messages, at the time of the first one. */
export const toTest = (messages: Recorded[]): { now?: string; steps: Step[] } => ({
  ...(messages[0]?.createdAt && { now: messages[0].createdAt }),
  steps: messages.map(({ payload, isOwn }) =>
    isOwn ? { user: toText(payload) ?? payload } : { bot: toExpected(payload) },
  ),
})

/** Returns the test as the text of a file. JSON is YAML, too. */
export function toScript(name: string, messages: Recorded[]): string {
  const { now, steps } = toTest(messages)
  const lines = steps.map((step) => {
    const [[kind, value] = []] = Object.entries(step)
    return `  - ${kind}: ${JSON.stringify(value)}`
  })
  const start = now ? [`now: ${now}`] : []
  return [`name: ${JSON.stringify(name)}`, ...start, 'steps:', ...lines, ''].join('\n')
}

const maxName = 60

/** Returns the beginning of the first message; undefined if it has no words. */
export function toTestName(messages: Recorded[]): string | undefined {
  const first = messages.find(({ isOwn }) => isOwn)
  return (
    first &&
    toText(first.payload)?.replaceAll(/\s+/g, ' ').trim().slice(0, maxName).trim()
  )
}

const toText = (payload: unknown) => {
  const { type, text } = payload as { type?: string; text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : undefined
}

/** The end of an id, such as the number of a booking: each conversation gets another one. */
const drawnNumber = /\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{8}\b/g

/** Expects the text with any drawn numbers. The word `nothing` alone expects that the bot sends nothing. */
function toExpected(payload: unknown): unknown {
  const text = toText(payload)
  if (text === undefined) return payload
  const parts = text.trim().split(drawnNumber)
  if (parts.length === 1 && parts[0] !== 'nothing') return text
  const escaped = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return { matches: `^\\s*${escaped.join('[A-Z\\d]+')}\\s*$` }
}
