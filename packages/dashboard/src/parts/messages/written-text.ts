import type { Message } from '@botstead/contract'

/** Returns the beginning of a message as its author wrote it. */
export function toWrittenText({
  type,
  payload,
}: Pick<Message, 'type' | 'payload'>): string {
  const own = [payload.text, payload.markdown, payload.transcript, payload.title].find(
    (value) => typeof value === 'string',
  )
  return String(own ?? `[${type}]`).slice(0, 300)
}
