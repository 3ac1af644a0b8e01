// Buttons and menus as Discord's components (https://discord.com/developers/docs/components/reference).
import type { OutgoingMessage } from '../channel.ts'
import type { CardAction } from '../messages.ts'
import { readOptions, toButtonData } from '../text/choices.ts'

export type Row = { type: 1; components: object[] }

const maxLabel = 80
const maxOption = 100
const maxButtonsInRow = 5
const maxOptionsInMenu = 25
export const maxRows = 5

type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

export function chunk<T>(items: T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size))
}

const shorten = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, max - 1)}…` : text

const toRow = (components: object[]): Row => ({ type: 1, components })

const toButton = (label: string, data: string) => ({
  type: 2,
  style: 2,
  label: shorten(label, maxLabel),
  custom_id: data,
})

const toLink = (label: string, url: string) => ({
  type: 2,
  style: 5,
  label: shorten(label, maxLabel),
  url,
})

/** Whether a label does not fit its button or menu, which then shows its beginning. */
export const hasLongLabels = (message: Content): boolean => {
  const max = message.type === 'choice' ? maxLabel : maxOption
  return readOptions(message).some(({ label }) => label.length > max)
}

/** Returns the options of a choice as buttons, those of a dropdown as menus. */
export function toOptionRows(message: Content): Row[] {
  const options = readOptions(message).map(({ label }, i) => ({
    label,
    data: toButtonData(message.id, i),
  }))
  if (message.type === 'choice') {
    const buttons = options.map(({ label, data }) => toButton(label, data))
    return chunk(buttons, maxButtonsInRow).map(toRow)
  }
  return chunk(options, maxOptionsInMenu).map((some, i) =>
    toRow([
      {
        type: 3,
        custom_id: `menu-${i}`,
        options: some.map(({ label, data }) => ({
          label: shorten(label, maxOption),
          value: data,
        })),
      },
    ]),
  )
}

/** `index`: position of the card's first option among those of its message. */
export function toActionRows(
  message: Content,
  actions: CardAction[],
  index: number,
): Row[] {
  let next = index
  const buttons = actions.map(({ action, label, value }) =>
    action === 'url'
      ? toLink(label, value)
      : toButton(label, toButtonData(message.id, next++)),
  )
  return chunk(buttons, maxButtonsInRow).map(toRow)
}
