// Messages of bots as SMS and MMS: texts without formatting, and options by their numbers.
import { ChannelError, type Context, type OutgoingMessage } from '../channel.ts'
import { type Card, readCards, readLines, toMapUrl } from '../messages.ts'
import { readOptions, writeOptions } from '../text/choices.ts'
import { toWrittenParts } from '../text/long-text.ts'
import { splitText } from '../text/split.ts'

/** Fields of one message of Twilio. */
type Part = Record<string, string>

type Message = Pick<OutgoingMessage, 'type' | 'payload'>

const maxText = 1_600

/** Throws ChannelError ("rejected") for a message that cannot be sent. */
export async function toParts(context: Context, message: Message): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [toLocation(payload)]
  if (type === 'choice' || type === 'dropdown')
    return toTexts(writeOptions(String(payload.text), readOptions(message)))
  if (type === 'card' || type === 'carousel') return toCards(context, message)
  if (type === 'bloc') {
    const items = payload.items as Message[]
    return (await Promise.all(items.map((item) => toParts(context, item)))).flat()
  }
  if (mediaTypes.includes(type)) return toMedia(context, message)
  throw new ChannelError('rejected', `SMS have no messages of the type "${type}"`)
}

const mediaTypes = ['image', 'audio', 'video', 'file']

const toPlain = (text: string): Part[] => splitText(text, maxText).map((Body) => ({ Body }))

const toTexts = async (markdown: string): Promise<Part[]> =>
  (await toWrittenParts(markdown, { notation: {}, limit: maxText })).map((Body) => ({ Body }))

function toLocation({ latitude, longitude, title, address }: Record<string, unknown>): Part {
  const map = toMapUrl({ latitude, longitude })
  const place = readLines([title, address]).slice(0, maxText - map.length - 1)
  return { Body: readLines([place, map]) }
}

/** Options are counted over all cards, as people answer them by their numbers. */
async function toCards(context: Context, message: Message): Promise<Part[]> {
  let first = 1
  const parts: Part[] = []
  for (const card of readCards(message)) {
    const texts = await toCardTexts(card, first)
    parts.push(...(card.imageUrl ? withMedia(context, card.imageUrl, texts) : texts))
    first += card.actions.filter(isOption).length
  }
  return parts
}

const isOption = ({ action }: Card['actions'][number]) => action !== 'url'

async function toCardTexts(
  { title, subtitle = '', actions }: Card,
  first: number,
): Promise<Part[]> {
  const below = (await toTexts(subtitle)).map(({ Body }) => Body)
  const links = actions.filter((one) => !isOption(one))
  const lines = links.map(({ label, value }) => `${label}: ${value}`)
  const text = [readLines([title, ...below]), lines.join('\n')].filter(Boolean).join('\n\n')
  return toPlain(writeOptions(text, actions.filter(isOption), first))
}

function toMedia(context: Context, { type, payload }: Message): Part[] {
  const url = String(payload[`${type}Url`])
  const below = toPlain(readLines([payload.caption ?? payload.title]))
  return type === 'file' ? toLink(url, below) : withMedia(context, url, below)
}

const withMedia = ({ configuration }: Context, url: string, [first, ...rest]: Part[]): Part[] =>
  configuration.sendMediaAs === 'link'
    ? toLink(url, first ? [first, ...rest] : [])
    : [{ ...first, MediaUrl: url }, ...rest]

const toLink = (url: string, texts: Part[]): Part[] =>
  toPlain(readLines([...texts.map(({ Body }) => Body), url]))
