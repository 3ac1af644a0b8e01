import type { Message } from '@botstead/contract'

/** Returns a message as one line. */
export function textOf({ type, payload }: Pick<Message, 'type' | 'payload'>): string {
  const own = [payload.text, payload.markdown, payload.title].find(
    (value) => typeof value === 'string',
  )
  return String(own ?? `[${type}]`).slice(0, 300)
}
