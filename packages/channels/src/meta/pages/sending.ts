// Messages of bots as messages of Messenger and Instagram
// (https://developers.facebook.com/docs/messenger-platform/send-messages).
import { ChannelError, type Context, type OutgoingMessage } from '../../channel.ts'
import { readBloc, readLines, toMapUrl } from '../../messages.ts'
import {
  type Option,
  readOptions,
  toButtonData,
  writeOptions,
} from '../../text/choices.ts'
import { toWrittenParts } from '../../text/long-text.ts'
import { toCards } from './cards.ts'
import type { PageProvider, Part } from './types.ts'

const maxQuickReplies = 13
const maxLabel = 20

export type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

/** Throws ChannelError ("rejected") for a message that the provider cannot show. */
export async function toParts(
  context: Context,
  provider: PageProvider,
  message: Content,
): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(provider, String(payload.text ?? payload.markdown))
  if (type === 'location') return toTexts(provider, writeLocation(payload))
  if (type === 'choice' || type === 'dropdown') return toChoice(provider, message)
  if (type === 'card' || type === 'carousel') return toCards(context, provider, message)
  if (type === 'bloc') return toBloc(context, provider, message)
  if (mediaFields[type]) return toMedia(context, provider, message)
  throw new ChannelError(
    'rejected',
    `${provider.title} shows no messages of the type "${type}"`,
  )
}

const toTexts = async ({ text }: PageProvider, markdown: string): Promise<Part[]> =>
  (await toWrittenParts(markdown, { notation: {}, ...text })).map((part) => ({
    message: { text: part },
  }))

/** Neither has messages with places: a link opens the map. */
const writeLocation = ({
  latitude,
  longitude,
  title,
  address,
}: Record<string, unknown>) =>
  readLines([title, address, toMapUrl({ latitude, longitude })])

async function toChoice(provider: PageProvider, message: Content): Promise<Part[]> {
  const options = readOptions(message)
  const text = String(message.payload.text)
  if (!fitQuickReplies(options)) return toTexts(provider, writeOptions(text, options))
  const parts = await toTexts(provider, text)
  const last = parts.at(-1)
  if (last && options.length > 0)
    last.message.quick_replies = options.map(({ label }, i) => ({
      content_type: 'text',
      title: label,
      payload: toButtonData(message.id, i),
    }))
  return parts
}

const fitQuickReplies = (options: Option[]) =>
  options.length <= maxQuickReplies &&
  options.every(({ label }) => label.length <= maxLabel)

async function toBloc(
  context: Context,
  provider: PageProvider,
  { id, payload }: Content,
): Promise<Part[]> {
  const items = readBloc({ payload })
  const parts = await Promise.all(
    items.map((item) => toParts(context, provider, { id, ...item })),
  )
  return parts.flat()
}

const mediaFields: Record<string, string | undefined> = {
  image: 'imageUrl',
  audio: 'audioUrl',
  video: 'videoUrl',
  file: 'fileUrl',
}

/** The provider loads the URL, unless the file is of this server and the provider takes its bytes. */
async function toMedia(
  { host }: Context,
  provider: PageProvider,
  { type, payload }: Content,
): Promise<Part[]> {
  const url = String(payload[mediaFields[type]!])
  const below = readLines([payload.caption ?? payload.title])
  if (!provider.mediaTypes.includes(type))
    return toTexts(provider, readLines([below, url]))
  const file = provider.takesUploads ? await host.readFile(url) : null
  const content = { is_reusable: false, ...(!file && { url }) }
  const media = {
    message: { attachment: { type, payload: content } },
    ...(file && { file }),
  }
  return [media, ...(below ? await toTexts(provider, below) : [])]
}
