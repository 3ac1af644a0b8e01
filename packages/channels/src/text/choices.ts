// Buttons as text, for channels that have none: a numbered list, and people write the numbers.
import type { Host, StoredMessage } from '../channel.ts'

export interface Option {
  label: string
  value: string
}

/** Returns the text with the options below it. `first`: number of the first one. */
export const writeOptions = (text: string, options: Option[], first = 1): string =>
  [text, options.map(({ label }, i) => `${i + first}. ${label}`).join('\n')]
    .filter(Boolean)
    .join('\n\n')

/** Returns the options of a choice, dropdown or card; none for other messages. */
export function readOptions({
  type,
  payload,
}: Pick<StoredMessage, 'type' | 'payload'>): Option[] {
  if (type === 'choice' || type === 'dropdown') return toOptions(payload.options)
  if (type === 'card') return toActions(payload.actions)
  if (type === 'carousel')
    return toList(payload.items).flatMap((item) =>
      toActions((item as { actions?: unknown }).actions),
    )
  return []
}

/** Returns the option that a person means by its number ("2", "2.", "2)") or its label; else null. */
export function findOption(options: Option[], said: string): Option | null {
  const text = said.trim()
  const number = /^(\d{1,3})[.)]?$/.exec(text)?.[1]
  if (number !== undefined) return options[Number(number) - 1] ?? null
  return (
    options.find(({ label }) => label.trim().toLowerCase() === text.toLowerCase()) ?? null
  )
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const toOptions = (value: unknown): Option[] => toList(value).filter(isOption)

const isOption = (value: unknown): value is Option =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Option).label === 'string' &&
  typeof (value as Option).value === 'string'

/** Links are no options: nothing arrives when a person opens them. */
const toActions = (value: unknown): Option[] =>
  toOptions(value).filter((one) => (one as Option & { action?: string }).action !== 'url')

/**
 * Returns the data of a button: the bot's message and the position of the option, which fit where a value may
 * not, and which a caller cannot change into another value.
 */
export const toButtonData = (messageId: string, index: number) => `${messageId}:${index}`

/** Returns the option of a pressed button; null if its message is gone, or the data is not ours. */
export async function findPressed(
  host: Pick<Host, 'findMessage'>,
  data: string,
): Promise<Option | null> {
  const [, id, index] = /^([\w-]{1,100}):(\d{1,4})$/.exec(data) ?? []
  if (id === undefined) return null
  const message = await host.findMessage(id)
  return (message && readOptions(message)[Number(index)]) ?? null
}
