// Cards as Flex messages (https://developers.line.biz/en/reference/messaging-api/#flex-message), and as text where
// they do not fit.
import { type Card, readCards, readLines, toCardText } from '../messages.ts'
import { toButtonData, writeOptions } from '../text/choices.ts'
import { writeWithin } from '../text/long-text.ts'
import { toRichText, writeRichText } from '../text/rich-text.ts'
import { checkUrl } from './urls.ts'

type Part = Record<string, unknown>

const maxBubbles = 12
const maxTitle = 400
const maxSubtitle = 2_000
const maxButtons = 10
const maxLabel = 40
const maxUrl = 1_000
const maxAltText = 400
const maxText = 5_000

/** Cards that fit and follow each other are one message. */
export function toCards(message: {
  id: string
  type: string
  payload: Record<string, unknown>
}): Part[] {
  const parts: Part[] = []
  let index = 0
  let fitting: { card: Card; bubble: Part }[] = []
  for (const card of readCards(message)) {
    if (fits(card)) fitting.push({ card, bubble: toBubble(message.id, card, index) })
    else {
      parts.push(...toFlex(fitting), ...toPlainCard(card, index))
      fitting = []
    }
    index += card.actions.filter(({ action }) => action !== 'url').length
  }
  return [...parts, ...toFlex(fitting)]
}

const fits = ({ title, subtitle = '', actions }: Card) =>
  title.length <= maxTitle &&
  subtitle.length <= maxSubtitle &&
  actions.length <= maxButtons &&
  actions.every(
    ({ action, label, value }) =>
      label.length <= maxLabel && (action !== 'url' || fitsLink(value)),
  )

const fitsLink = (url: string) =>
  url.length <= maxUrl && /^(https?|tel|mailto|line):/i.test(url)

function toBubble(messageId: string, card: Card, from: number): Part {
  let index = from
  const subtitle = writeRichText(toRichText(card.subtitle ?? ''), {})
  const toText = (text: string, more: Part) => ({
    type: 'text',
    text,
    wrap: true,
    ...more,
  })
  const buttons = card.actions.map(({ action, label, value }) => ({
    type: 'button',
    height: 'sm',
    action:
      action === 'url'
        ? { type: 'uri', label, uri: value }
        : {
            type: 'postback',
            label,
            data: toButtonData(messageId, index++),
            displayText: label,
          },
  }))
  const texts = [
    toText(card.title, { weight: 'bold', size: 'lg' }),
    ...(subtitle ? [toText(subtitle, { size: 'sm' })] : []),
  ]
  const box = (contents: Part[]) => ({
    type: 'box',
    layout: 'vertical',
    spacing: 'sm',
    contents,
  })
  return {
    type: 'bubble',
    ...(card.imageUrl && { hero: toHero(card.imageUrl) }),
    body: box(texts),
    ...(buttons.length > 0 && { footer: box(buttons) }),
  }
}

const toHero = (url: string) => ({
  type: 'image',
  url: checkUrl(url),
  size: 'full',
  aspectRatio: '20:13',
  aspectMode: 'cover',
})

function toFlex(fitting: { card: Card; bubble: Part }[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < fitting.length; i += maxBubbles) {
    const some = fitting.slice(i, i + maxBubbles)
    const bubbles = some.map(({ bubble }) => bubble)
    // Shown in notifications, and by devices that do not know Flex.
    const altText = some.map(({ card }) => card.title).join(', ')
    parts.push({
      type: 'flex',
      altText: altText.slice(0, maxAltText),
      contents:
        bubbles.length === 1 ? bubbles[0] : { type: 'carousel', contents: bubbles },
    })
  }
  return parts
}

function toPlainCard(card: Card, index: number): Part[] {
  const links = card.actions.filter(({ action }) => action === 'url')
  const options = card.actions.filter(({ action }) => action !== 'url')
  const title = writeRichText(toCardText(card), {})
  const body = readLines([
    title,
    ...links.map(({ label, value }) => `${label}: ${value}`),
  ])
  const rich = { text: writeOptions(body, options, index + 1), marks: [] }
  const url = card.imageUrl && checkUrl(card.imageUrl)
  const image = { type: 'image', originalContentUrl: url, previewImageUrl: url }
  const texts = writeWithin(rich, { notation: {}, limit: maxText })
  return [...(url ? [image] : []), ...texts.map((text) => ({ type: 'text', text }))]
}
