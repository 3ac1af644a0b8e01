// Messages of bots as events of rooms.
import { ChannelError, type Context, type OutgoingMessage } from '../channel.ts'
import { loadFile } from '../media-files.ts'
import { type Card, readCards, readLines, toCardText } from '../messages.ts'
import { readOptions, writeOptions } from '../text/choices.ts'
import { toRichParts } from '../text/long-text.ts'
import { type RichText, sliceRichText } from '../text/rich-text.ts'
import { splitRichText } from '../text/split.ts'
import { upload } from './api.ts'
import { toTextFields } from './formatting.ts'

/** The content of one event, which is made when it is sent: files are uploaded then. */
type Part = () => Promise<Record<string, unknown>> | Record<string, unknown>

type Message = Pick<OutgoingMessage, 'type' | 'payload'>

const maxText = 5_000
const maxFileBytes = 50 * 2 ** 20

/** Throws ChannelError ("rejected") for a message that cannot be sent. */
export async function toParts(context: Context, message: Message): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [() => toLocation(payload)]
  if (type === 'choice' || type === 'dropdown')
    return toTexts(writeOptions(String(payload.text), readOptions(message)))
  if (type === 'card' || type === 'carousel') return toCards(context, message)
  if (type === 'bloc') {
    const items = payload.items as Message[]
    return (await Promise.all(items.map((item) => toParts(context, item)))).flat()
  }
  if (mediaTypes.includes(type)) return [() => toMedia(context, message)]
  throw new ChannelError('rejected', `Matrix shows no messages of the type "${type}"`)
}

const mediaTypes = ['image', 'audio', 'video', 'file']

const toTexts = async (markdown: string): Promise<Part[]> =>
  (await toRichParts(markdown, maxText)).map((rich) => () => toTextFields(rich))

const toLocation = ({ latitude, longitude, title, address }: Record<string, unknown>) => {
  const place = `${Number(latitude)},${Number(longitude)}`
  const body = readLines([title, address]).slice(0, maxText) || place
  return { msgtype: 'm.location', body, geo_uri: `geo:${place}` }
}

/** Options are counted over all cards, as people answer them by their numbers. */
function toCards(context: Context, message: Message): Part[] {
  let first = 1
  return readCards(message).flatMap((card) => {
    const { imageUrl } = card
    const options = card.actions.filter(({ action }) => action !== 'url')
    const texts = splitRichText(toCardRich(card, options, first), maxText)
    first += options.length
    const image = { type: 'image', payload: { imageUrl } }
    const picture: Part[] = imageUrl ? [() => toMedia(context, image)] : []
    return [
      ...picture,
      ...texts.map(
        (rich): Part =>
          () =>
            toTextFields(rich),
      ),
    ]
  })
}

function toCardRich(card: Card, options: Card['actions'], first: number): RichText {
  const { text, marks } = toCardText(card)
  const links = card.actions.filter(({ action }) => action === 'url')
  const lines = links.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const below = writeOptions([text, lines].filter(Boolean).join('\n\n'), options, first)
  return sliceRichText({ text: below, marks }, 0, below.length)
}

/** A file that the homeserver does not take is a link. */
async function toMedia(context: Context, { type, payload }: Message) {
  const url = String(payload[`${type}Url`])
  const caption = readLines([payload.caption ?? payload.title]).slice(0, maxText)
  const link = { msgtype: 'm.text', body: readLines([caption, url]) }
  const file = await loadFile(context, url, maxFileBytes)
  if (!file) return link
  const stored = await upload(context, file).catch((error) => {
    if (error instanceof ChannelError && error.kind === 'rejected') return null
    throw error
  })
  if (stored === null) return link
  return {
    msgtype: `m.${type}`,
    body: caption || file.name,
    filename: file.name,
    url: stored,
    info: { mimetype: file.contentType, size: file.content.length },
    ...(payload.isVoice === true && { 'org.matrix.msc3245.voice': {} }),
  }
}
