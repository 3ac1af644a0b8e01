// Parts of messages that bots send, read leniently: the server has checked them against their schemas, but
// bots may add fields.
import { ChannelError, type OutgoingMessage } from './channel.ts'
import { type RichText, toRichText } from './text/rich-text.ts'

export interface CardAction {
  action: string
  label: string
  value: string
}

export interface Card {
  title: string
  subtitle?: string
  imageUrl?: string
  actions: CardAction[]
}

const maxCards = 100
const maxCardText = 8_000

/** Returns the card of a message, or those of a carousel. Throws ChannelError ("rejected") for huge ones. */
export function readCards({
  type,
  payload,
}: Pick<OutgoingMessage, 'type' | 'payload'>): Card[] {
  const cards = (type === 'carousel' ? payload.items : [payload]) as Card[]
  if (cards.length > maxCards)
    throw new ChannelError('rejected', `A carousel has at most ${maxCards} cards`)
  if (
    cards.some(({ title, subtitle = '' }) => title.length + subtitle.length > maxCardText)
  )
    throw new ChannelError(
      'rejected',
      `Title and subtitle of a card have at most ${maxCardText} characters; longer texts are messages`,
    )
  return cards.map((card) => ({ ...card, actions: card.actions ?? [] }))
}

/** Returns the title in bold, with the subtitle below it. */
export function toCardText({ title, subtitle }: Card): RichText {
  const below = subtitle ? toRichText(subtitle) : { text: '', marks: [] }
  const offset = title.length + 1
  return {
    text: below.text ? `${title}\n${below.text}` : title,
    marks: [
      { kind: 'bold', from: 0, to: title.length },
      ...below.marks.map((mark) => ({
        ...mark,
        from: mark.from + offset,
        to: mark.to + offset,
      })),
    ],
  }
}

/** Joins the texts among the values by line breaks. */
export const readLines = (values: unknown[]): string =>
  values.filter((value) => typeof value === 'string' && value !== '').join('\n')

/** Returns an address that shows the place on a map. */
export const toMapUrl = ({ latitude, longitude }: Record<string, unknown>): string =>
  `https://www.google.com/maps/search/?api=1&query=${Number(latitude)},${Number(longitude)}`

/** Returns a location as text, for providers that have no message for it. */
export const writeLocation = (payload: Record<string, unknown>): string =>
  readLines([payload.title, payload.address, toMapUrl(payload)])

/** Returns the messages of a bloc. */
export const readBloc = ({ payload }: Pick<OutgoingMessage, 'payload'>) =>
  payload.items as Pick<OutgoingMessage, 'type' | 'payload'>[]
