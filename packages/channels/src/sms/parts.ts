// Messages of bots as SMS and MMS: texts without formatting, and options by their numbers.
import { ChannelError, type OutgoingMessage } from '../channel.ts'
import { type Card, readCards, readLines, toMapUrl } from '../messages.ts'
import { readOptions, writeOptions } from '../text/choices.ts'
import { toWrittenParts } from '../text/long-text.ts'
import { splitText } from '../text/split.ts'

/** One SMS; with `mediaUrl`, an MMS. */
interface SmsPart {
  text?: string
  mediaUrl?: string
}

type Message = Pick<OutgoingMessage, 'type' | 'payload'>

/** Of an SMS that a gateway sends in segments. */
const maxText = 1_600

/**
 * Returns the SMS of a message. Media are addresses in the text, or with `sendsMedia` MMS. Throws
 * ChannelError ("rejected") for a message that cannot be sent.
 */
export async function toSmsParts(
  message: Message,
  sendsMedia = false,
): Promise<SmsPart[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [toLocation(payload)]
  if (type === 'choice' || type === 'dropdown')
    return toTexts(writeOptions(String(payload.text), readOptions(message)))
  if (type === 'card' || type === 'carousel') return toCards(message, sendsMedia)
  if (type === 'bloc') {
    const items = payload.items as Message[]
    return (await Promise.all(items.map((item) => toSmsParts(item, sendsMedia)))).flat()
  }
  if (mediaTypes.includes(type)) return toMedia(message, sendsMedia)
  throw new ChannelError('rejected', `SMS have no messages of the type "${type}"`)
}

const mediaTypes = ['image', 'audio', 'video', 'file']

const toPlain = (text: string): SmsPart[] =>
  splitText(text, maxText).map((part) => ({ text: part }))

const toTexts = async (markdown: string): Promise<SmsPart[]> =>
  (await toWrittenParts(markdown, { notation: {}, limit: maxText })).map((text) => ({
    text,
  }))

function toLocation({
  latitude,
  longitude,
  title,
  address,
}: Record<string, unknown>): SmsPart {
  const map = toMapUrl({ latitude, longitude })
  const place = readLines([title, address]).slice(0, maxText - map.length - 1)
  return { text: readLines([place, map]) }
}

/** Options are counted over all cards, as people answer them by their numbers. */
async function toCards(message: Message, sendsMedia: boolean): Promise<SmsPart[]> {
  let first = 1
  const parts: SmsPart[] = []
  for (const card of readCards(message)) {
    const texts = await toCardTexts(card, first)
    parts.push(...(card.imageUrl ? withMedia(card.imageUrl, texts, sendsMedia) : texts))
    first += card.actions.filter(isOption).length
  }
  return parts
}

const isOption = ({ action }: Card['actions'][number]) => action !== 'url'

async function toCardTexts(
  { title, subtitle = '', actions }: Card,
  first: number,
): Promise<SmsPart[]> {
  const below = (await toTexts(subtitle)).map(({ text }) => text)
  const links = actions.filter((one) => !isOption(one))
  const lines = links.map(({ label, value }) => `${label}: ${value}`)
  const text = [readLines([title, ...below]), lines.join('\n')]
    .filter(Boolean)
    .join('\n\n')
  return toPlain(writeOptions(text, actions.filter(isOption), first))
}

function toMedia({ type, payload }: Message, sendsMedia: boolean): SmsPart[] {
  const url = String(payload[`${type}Url`])
  const below = toPlain(readLines([payload.caption ?? payload.title]))
  return withMedia(url, below, sendsMedia && type !== 'file')
}

const withMedia = (mediaUrl: string, texts: SmsPart[], sendsMedia: boolean): SmsPart[] =>
  sendsMedia
    ? [{ ...texts[0], mediaUrl }, ...texts.slice(1)]
    : toPlain(readLines([...texts.map(({ text }) => text), mediaUrl]))
