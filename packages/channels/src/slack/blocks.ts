// Buttons and cards as Slack's blocks (https://docs.slack.dev/reference/block-kit/blocks).
import type { OutgoingMessage } from '../channel.ts'
import { type Card, toCardText } from '../messages.ts'
import { readOptions, toButtonData } from '../text/choices.ts'
import { writeMrkdwn } from './formatting.ts'

export type Block = Record<string, unknown>

const maxLabel = 75
const maxSection = 3_000
const maxButtons = 25
const maxOptions = 100

type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

export const hasLongLabels = (message: Content): boolean =>
  readOptions(message).some(({ label }) => label.length > maxLabel)

const toPlainText = (text: string) => ({
  type: 'plain_text',
  text: text.length > maxLabel ? `${text.slice(0, maxLabel - 1)}…` : text,
})

/** Null for a text that is too long for a block. */
export const toSection = (text: string): Block | null =>
  text.length > maxSection ? null : { type: 'section', text: { type: 'mrkdwn', text } }

function chunk<T>(items: T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size))
}

const toButton = (label: string, action_id: string, more: object) => ({
  type: 'button',
  action_id,
  text: toPlainText(label),
  ...more,
})

/** Returns the options of a choice as buttons, those of a dropdown as menus. */
export function toOptionBlocks(message: Content): Block[] {
  const options = readOptions(message).map(({ label }, i) => ({
    label,
    id: `option-${i}`,
    value: toButtonData(message.id, i),
  }))
  if (message.type === 'choice') {
    const buttons = options.map(({ label, id, value }) => toButton(label, id, { value }))
    return chunk(buttons, maxButtons).map(toActions)
  }
  return chunk(options, maxOptions).map((some, i) =>
    toActions([
      {
        type: 'static_select',
        action_id: `menu-${i}`,
        placeholder: toPlainText('…'),
        options: some.map(({ label, value }) => ({ text: toPlainText(label), value })),
      },
    ]),
  )
}

const toActions = (elements: object[]): Block => ({ type: 'actions', elements })

export const toImage = (url: string, text: string): Block => ({
  type: 'image',
  image_url: url,
  alt_text: text.slice(0, 2_000) || 'image',
})

/** `index`: position of the card's first option among those of its message. */
export function toCardBlocks(message: Content, card: Card, index: number): Block[] {
  let next = index
  const buttons = card.actions.map(({ action, label, value }, i) =>
    action === 'url'
      ? toButton(label, `link-${i}`, { url: value })
      : toButton(label, `option-${next}`, { value: toButtonData(message.id, next++) }),
  )
  const section = toSection(writeMrkdwn(toCardText(card)))
  return [...(section ? [section] : []), ...chunk(buttons, maxButtons).map(toActions)]
}
