// Cards and buttons of Teams
// (https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-reference).
import { type Card, readCards, readLines } from '../messages.ts'
import { type Option, toButtonData, writeOptions } from '../text/choices.ts'
import { toRichText, writeRichText } from '../text/rich-text.ts'
import { teamsNotation } from './formatting.ts'

type Attachment = Record<string, unknown>

interface CardPart {
  attachments: Attachment[]
  attachmentLayout?: 'carousel'
}

const maxButtons = 6
const maxCards = 10
/** Longer ones are cut off by Teams. */
const maxLabel = 50
const maxSubtitle = 5_000

const toButton = (label: string, data: string) => ({
  type: 'messageBack',
  title: label,
  text: label,
  displayText: label,
  value: data,
})

const toHero = (content: Record<string, unknown>): Attachment => ({
  contentType: 'application/vnd.microsoft.card.hero',
  content,
})

/** Null if the options are too many, or their labels too long, for buttons. */
export function toButtonCard(messageId: string, options: Option[]): Attachment | null {
  const fits =
    options.length <= maxButtons && options.every(({ label }) => label.length <= maxLabel)
  if (!fits) return null
  return toHero({
    buttons: options.map(({ label }, i) => toButton(label, toButtonData(messageId, i))),
  })
}

/** A menu with a button that sends the choice. */
export const toChoiceSet = (messageId: string, options: Option[]): Attachment => ({
  contentType: 'application/vnd.microsoft.card.adaptive',
  content: {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.3',
    body: [
      {
        type: 'Input.ChoiceSet',
        id: 'option',
        style: 'compact',
        choices: options.map(({ label }, i) => ({
          title: label,
          value: toButtonData(messageId, i),
        })),
      },
    ],
    actions: [{ type: 'Action.Submit', title: 'OK' }],
  },
})

/** Cards that follow each other are one message, as far as Teams admits it. */
export function toCardParts(message: {
  id: string
  type: string
  payload: Record<string, unknown>
}): CardPart[] {
  let index = 0
  const attachments = readCards(message).map((card) => {
    const attachment = toCard(message.id, card, index)
    index += card.actions.filter(({ action }) => action !== 'url').length
    return attachment
  })
  const parts: CardPart[] = []
  for (let i = 0; i < attachments.length; i += maxCards) {
    const some = attachments.slice(i, i + maxCards)
    parts.push({
      attachments: some,
      ...(some.length > 1 && { attachmentLayout: 'carousel' as const }),
    })
  }
  return parts
}

/** Buttons that do not fit are lines of the text. */
function toCard(messageId: string, card: Card, from: number): Attachment {
  let index = from
  const { title, subtitle = '', imageUrl, actions } = card
  const isLong =
    actions.length > maxButtons || actions.some(({ label }) => label.length > maxLabel)
  const buttons = actions.map(({ action, label, value }) =>
    action === 'url'
      ? { type: 'openUrl', title: label, value }
      : toButton(label, toButtonData(messageId, index++)),
  )
  const text = readLines([
    subtitle.slice(0, maxSubtitle),
    isLong && toPlainButtons(card, from),
  ])
  return toHero({
    title,
    ...(text && { text: writeRichText(toRichText(text), teamsNotation) }),
    ...(imageUrl && { images: [{ url: imageUrl }] }),
    ...(!isLong && buttons.length > 0 && { buttons }),
  })
}

function toPlainButtons({ actions }: Card, from: number): string {
  const links = actions.filter(({ action }) => action === 'url')
  const options = actions.filter(({ action }) => action !== 'url')
  const lines = links.map(({ label, value }) => `${label}: ${value}`)
  return writeOptions(lines.join('\n'), options, from + 1)
}
