// Messages of bots as calls of Telegram's Bot API.
import { ChannelError, type Context, type OutgoingMessage } from '../channel.ts'
import { type Card, readBloc, readCards, readLines, toCardText } from '../messages.ts'
import type { Upload } from '../provider-calls.ts'
import { readOptions, toButtonData } from '../text/choices.ts'
import { toRichParts } from '../text/long-text.ts'
import type { RichText } from '../text/rich-text.ts'
import { splitRichText } from '../text/split.ts'
import { toEntities } from './entities.ts'

/** One call, and thereby one message in the chat. */
interface Part {
  method: string
  parameters: Record<string, unknown>
  files?: Record<string, Upload>
}

const maxText = 4_096
const maxCaption = 1_024
/** Labels of buttons in one row have at most this many characters together. */
const maxRow = 24

type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

/** Throws ChannelError ("rejected") for a message that Telegram cannot show. */
export async function toParts(context: Context, message: Content): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [toLocation(payload)]
  if (type === 'choice' || type === 'dropdown') return toChoice(message)
  if (type === 'card' || type === 'carousel') return toCards(context, message)
  if (type === 'bloc') return toBloc(context, message)
  const media = mediaMethods[type]
  if (media) return [await toMedia(context, media, payload)]
  throw new ChannelError('rejected', `Telegram shows no messages of the type "${type}"`)
}

const toTextParameters = (rich: RichText) => ({
  text: rich.text,
  entities: toEntities(rich),
})

async function toTexts(markdown: string, keyboard: object = {}): Promise<Part[]> {
  const texts = await toRichParts(markdown, maxText)
  return texts.map((rich, i) => ({
    method: 'sendMessage',
    parameters: { ...toTextParameters(rich), ...(i === texts.length - 1 && keyboard) },
  }))
}

function toLocation({
  latitude,
  longitude,
  title,
  address,
}: Record<string, unknown>): Part {
  const place = { latitude, longitude }
  return title && address
    ? { method: 'sendVenue', parameters: { ...place, title, address } }
    : { method: 'sendLocation', parameters: place }
}

interface Button {
  text: string
  url?: string
  callback_data?: string
}

/** Short labels share a row. */
function toKeyboard(buttons: Button[]) {
  const rows: Button[][] = []
  let length = 0
  for (const button of buttons) {
    const row = rows.at(-1)
    if (row && row.length < 3 && length + button.text.length <= maxRow) {
      row.push(button)
      length += button.text.length
    } else {
      rows.push([button])
      length = button.text.length
    }
  }
  return rows.length > 0 ? { reply_markup: { inline_keyboard: rows } } : {}
}

function toChoice(message: Content): Promise<Part[]> {
  const buttons = readOptions(message).map(({ label }, i) => ({
    text: label,
    callback_data: toButtonData(message.id, i),
  }))
  return toTexts(String(message.payload.text), toKeyboard(buttons))
}

async function toCards(context: Context, message: Content): Promise<Part[]> {
  const parts: Part[] = []
  let index = 0
  for (const card of readCards(message)) {
    const buttons = card.actions.map(({ action, label, value }) =>
      action === 'url'
        ? { text: label, url: value }
        : { text: label, callback_data: toButtonData(message.id, index++) },
    )
    parts.push(...(await toCard(context, card, toKeyboard(buttons))))
  }
  return parts
}

async function toCard(context: Context, card: Card, keyboard: object): Promise<Part[]> {
  const rich = toCardText(card)
  if (!card.imageUrl)
    return [
      { method: 'sendMessage', parameters: { ...toTextParameters(rich), ...keyboard } },
    ]
  const [caption, ...rest] = splitRichText(rich, maxCaption)
  const photo = await toMedia(context, mediaMethods.image!, { imageUrl: card.imageUrl })
  const below = rest.map((one) => ({
    method: 'sendMessage',
    parameters: toTextParameters(one),
  }))
  const parameters = {
    ...photo.parameters,
    ...(caption && { caption: caption.text, caption_entities: toEntities(caption) }),
    ...keyboard,
  }
  return [{ ...photo, parameters }, ...below]
}

async function toBloc(context: Context, { id, payload }: Content): Promise<Part[]> {
  const items = readBloc({ payload })
  const parts = await Promise.all(items.map((item) => toParts(context, { id, ...item })))
  return parts.flat()
}

interface MediaMethod {
  field: string
  url: string
  method(url: string, payload: Record<string, unknown>): string
}

const mediaMethods: Record<string, MediaMethod | undefined> = {
  image: { field: 'photo', url: 'imageUrl', method: () => 'sendPhoto' },
  audio: {
    field: 'audio',
    url: 'audioUrl',
    // Voice notes are shown as such.
    method: (url, { isVoice }) =>
      isVoice || /\.(?:ogg|oga|opus)(?:\?|$)/i.test(url) ? 'sendVoice' : 'sendAudio',
  },
  video: { field: 'video', url: 'videoUrl', method: () => 'sendVideo' },
  file: { field: 'document', url: 'fileUrl', method: () => 'sendDocument' },
}

/** Telegram loads the URL, unless the file is of this server, which it may not reach. */
async function toMedia(
  { host }: Context,
  media: MediaMethod,
  payload: Record<string, unknown>,
): Promise<Part> {
  const url = String(payload[media.url])
  const method = media.method(url, payload)
  const field = method === 'sendVoice' ? 'voice' : media.field
  const text = readLines([payload.caption ?? payload.title]).slice(0, maxCaption)
  const caption = text === '' ? {} : { caption: text }
  const file = await host.readFile(url)
  return file
    ? { method, parameters: caption, files: { [field]: file } }
    : { method, parameters: { [field]: url, ...caption } }
}
