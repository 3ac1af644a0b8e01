// A conversation of the emulator as a script of `botstead test`. JSON is YAML, too.

interface Message {
  payload: unknown
  isOwn: boolean
}

/** Returns the text of a file that expects the same answers to the same messages. */
export function toScript(name: string, messages: Message[]): string {
  const steps = messages.map(({ payload, isOwn }) =>
    isOwn ? `  - user: ${toMessage(payload)}` : `  - bot: ${toExpected(payload)}`,
  )
  return [`name: ${JSON.stringify(name)}`, 'steps:', ...steps, ''].join('\n')
}

const toText = (payload: unknown) => {
  const { type, text } = payload as { type?: string; text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : undefined
}

const toMessage = (payload: unknown) => JSON.stringify(toText(payload) ?? payload)

/** The word `nothing` alone expects that the bot sends nothing. */
function toExpected(payload: unknown): string {
  const text = toText(payload)
  if (text === undefined) return JSON.stringify(payload)
  return JSON.stringify(text.trim() === 'nothing' ? { matches: '^\\s*nothing\\s*$' } : text)
}
