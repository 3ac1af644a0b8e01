// Cards, buttons and menus (https://developers.google.com/workspace/chat/api/reference/rest/v1/cards).
import { type Card, readCards, toCardText } from '../messages.ts'
import { type Option, toButtonData, writeOptions } from '../text/choices.ts'
import { toRichText, writeRichText } from '../text/rich-text.ts'
import { cardNotation } from './formatting.ts'

export type Part = Record<string, unknown>
type Widget = Record<string, unknown>

const maxButtons = 20
const maxItems = 100
const maxLabel = 100
/** In characters, far below the 32,000 bytes of a message. */
const maxLabels = 5_000

export const toCardPart = (widgets: Widget[]): Part => ({
  cardsV2: [{ cardId: 'card', card: { sections: [{ widgets }] } }],
})

const toButton = (text: string, data: string) => ({
  text,
  onClick: {
    action: { function: 'option', parameters: [{ key: 'option', value: data }] },
  },
})

const toButtons = (buttons: object[]): Widget => ({ buttonList: { buttons } })

/** Returns few options as buttons, more as a menu; null for those that fit neither. */
export function toOptionWidget(
  messageId: string,
  options: Option[],
  isMenu: boolean,
): Widget | null {
  const length = options.reduce((sum, { label }) => sum + label.length, 0)
  const isLong = options.some(({ label }) => label.length > maxLabel)
  if (isLong || length > maxLabels || options.length > maxItems) return null
  if (!isMenu && options.length <= maxButtons)
    return toButtons(
      options.map(({ label }, i) => toButton(label, toButtonData(messageId, i))),
    )
  const items = options.map(({ label }, i) => ({
    text: label,
    value: toButtonData(messageId, i),
  }))
  return {
    selectionInput: {
      name: 'option',
      type: 'DROPDOWN',
      items,
      onChangeAction: { function: 'option' },
    },
  }
}

export function toCardParts(message: {
  id: string
  type: string
  payload: Record<string, unknown>
}): Part[] {
  let index = 0
  return readCards(message).map((card) => {
    const part = toCardPart(toWidgets(message.id, card, index))
    index += card.actions.filter(({ action }) => action !== 'url').length
    return part
  })
}

/** Buttons that do not fit are lines of the text. */
function toWidgets(messageId: string, card: Card, from: number): Widget[] {
  let index = from
  const { imageUrl, actions } = card
  const fits =
    actions.length <= maxButtons && actions.every(({ label }) => label.length <= maxLabel)
  const buttons = actions.map(({ action, label, value }) =>
    action === 'url'
      ? { text: label, onClick: { openLink: { url: value } } }
      : toButton(label, toButtonData(messageId, index++)),
  )
  const toParagraph = (text: string): Widget => ({ textParagraph: { text } })
  return [
    ...(imageUrl ? [toImage(imageUrl, card.title)] : []),
    toParagraph(writeRichText(toCardText(card), cardNotation)),
    ...(fits && buttons.length > 0 ? [toButtons(buttons)] : []),
    ...(fits ? [] : [toParagraph(toPlainButtons(card, from))]),
  ]
}

export const toImage = (imageUrl: string, altText: string): Widget => ({
  image: { imageUrl, altText },
})

function toPlainButtons({ actions }: Card, from: number): string {
  const links = actions.filter(({ action }) => action === 'url')
  const options = actions.filter(({ action }) => action !== 'url')
  const lines = links.map(({ label, value }) => `${label}: ${value}`).join('\n')
  return writeRichText(toRichText(writeOptions(lines, options, from + 1)), cardNotation)
}
