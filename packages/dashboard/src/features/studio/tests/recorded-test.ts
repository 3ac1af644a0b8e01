// A conversation as a test: in the document, or as a script of `botstead test`.

/** A message. `payload` has its `type`, too. */
export interface Recorded {
  payload: unknown
  isOwn: boolean
}

type Step = { user: unknown } | { bot: unknown }

/** Returns a test that expects the same answers to the same messages. */
export const toTest = (messages: Recorded[]): { steps: Step[] } => ({
  steps: messages.map(({ payload, isOwn }) =>
    isOwn ? { user: toText(payload) ?? payload } : { bot: toExpected(payload) },
  ),
})

/** Returns the test as the text of a file. JSON is YAML, too. */
export function toScript(name: string, messages: Recorded[]): string {
  const steps = toTest(messages).steps.map((step) => {
    const [[kind, value] = []] = Object.entries(step)
    return `  - ${kind}: ${JSON.stringify(value)}`
  })
  return [`name: ${JSON.stringify(name)}`, 'steps:', ...steps, ''].join('\n')
}

const maxName = 60

/** Returns the beginning of the first message; undefined if it has no words. */
export function toTestName(messages: Recorded[]): string | undefined {
  const first = messages.find(({ isOwn }) => isOwn)
  return first && toText(first.payload)?.replaceAll(/\s+/g, ' ').trim().slice(0, maxName).trim()
}

const toText = (payload: unknown) => {
  const { type, text } = payload as { type?: string; text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : undefined
}

/** The word `nothing` alone expects that the bot sends nothing. */
function toExpected(payload: unknown): unknown {
  const text = toText(payload)
  if (text === undefined) return payload
  return text.trim() === 'nothing' ? { matches: '^\\s*nothing\\s*$' } : text
}
