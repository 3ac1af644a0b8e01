// Messages of bots as messages of LINE (https://developers.line.biz/en/reference/messaging-api/#message-objects).
import { ChannelError, type OutgoingMessage } from '../channel.ts'
import { readBloc, readLines } from '../messages.ts'
import { type Option, readOptions, toButtonData, writeOptions } from '../text/choices.ts'
import { toWrittenParts } from '../text/long-text.ts'
import { toCards } from './cards.ts'
import { checkUrl } from './urls.ts'

export type LinePart = Record<string, unknown>
export type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

const maxText = 5_000
const maxQuickReplies = 13
const maxLabel = 20
const maxPlace = 100
/** Shown beside a player; LINE asks for it, and bots rarely know it. */
const assumedAudioMs = 60_000

/** Throws ChannelError ("rejected") for a message that LINE cannot show. */
export async function toParts(message: Content): Promise<LinePart[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [toLocation(payload)]
  if (type === 'choice' || type === 'dropdown') return toChoice(message)
  if (type === 'card' || type === 'carousel') return toCards(message)
  if (type === 'bloc') return toBloc(message)
  if (type === 'image' || type === 'audio') return toMedia(type, payload)
  // LINE takes no other files, and no video without a picture of it: the address opens them.
  if (type === 'video' || type === 'file')
    return toTexts(readLines([payload.caption ?? payload.title, payload[`${type}Url`]]))
  throw new ChannelError('rejected', `LINE shows no messages of the type "${type}"`)
}

const toTexts = async (markdown: string): Promise<LinePart[]> =>
  (await toWrittenParts(markdown, { notation: {}, limit: maxText })).map((text) => ({
    type: 'text',
    text,
  }))

/** LINE asks for both texts. */
function toLocation({
  latitude,
  longitude,
  title,
  address,
}: Record<string, unknown>): LinePart {
  const place = `${latitude}, ${longitude}`
  return {
    type: 'location',
    title: String(title || address || place).slice(0, maxPlace),
    address: String(address || place).slice(0, maxPlace),
    latitude,
    longitude,
  }
}

async function toChoice(message: Content): Promise<LinePart[]> {
  const options = readOptions(message)
  const text = String(message.payload.text)
  if (!fitQuickReplies(options)) return toTexts(writeOptions(text, options))
  const parts = await toTexts(text)
  const last = parts.at(-1)
  if (last && options.length > 0)
    last.quickReply = {
      items: options.map(({ label }, i) => ({
        type: 'action',
        action: {
          type: 'postback',
          label,
          data: toButtonData(message.id, i),
          displayText: label,
        },
      })),
    }
  return parts
}

const fitQuickReplies = (options: Option[]) =>
  options.length <= maxQuickReplies &&
  options.every(({ label }) => label.length <= maxLabel)

async function toBloc({ id, payload }: Content): Promise<LinePart[]> {
  const items = readBloc({ payload })
  return (await Promise.all(items.map((item) => toParts({ id, ...item })))).flat()
}

async function toMedia(
  type: 'image' | 'audio',
  payload: Record<string, unknown>,
): Promise<LinePart[]> {
  const url = checkUrl(String(payload[`${type}Url`]))
  const below = readLines([payload.caption ?? payload.title])
  const more =
    type === 'image'
      ? { previewImageUrl: url }
      : { duration: Number(payload.duration) || assumedAudioMs }
  return [
    { type, originalContentUrl: url, ...more },
    ...(below ? await toTexts(below) : []),
  ]
}
