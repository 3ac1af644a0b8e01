// Messages of bots as messages of Discord.
import { createHash } from 'node:crypto'
import { ChannelError, type Context, type OutgoingMessage } from '../channel.ts'
import { loadFile, toFileName } from '../media-files.ts'
import {
  type Card,
  readBloc,
  readCards,
  readLines,
  toCardText,
  toMapUrl,
} from '../messages.ts'
import type { Upload } from '../provider-calls.ts'
import { readOptions, writeOptions } from '../text/choices.ts'
import { toRichParts } from '../text/long-text.ts'
import { splitRichText } from '../text/split.ts'
import { post, tooLate } from './api.ts'
import {
  chunk,
  hasLongLabels,
  maxRows,
  type Row,
  toActionRows,
  toOptionRows,
} from './components.ts'
import { writeDiscord, writeParts } from './formatting.ts'
import { type Reply, sendReply } from './interactions.ts'

/** One message. The file at `url` is loaded when it is sent. */
interface Part {
  content?: string
  components?: Row[]
  url?: string
}

/** Before it is written with formatting. */
const maxText = 1_900
/** Discord admits so much for every server. */
const maxUploadBytes = 10 * 2 ** 20

type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

const mediaUrls: Record<string, string | undefined> = {
  image: 'imageUrl',
  audio: 'audioUrl',
  video: 'videoUrl',
  file: 'fileUrl',
}

/** Throws ChannelError ("rejected") for a message that Discord cannot show. */
export async function toParts(message: Content): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [{ content: toLocation(payload) }]
  if (type === 'choice' || type === 'dropdown') return toChoice(message)
  if (type === 'card' || type === 'carousel') return toCards(message)
  if (type === 'bloc') return toBloc(message)
  const field = mediaUrls[type]
  if (field === undefined)
    throw new ChannelError('rejected', `Discord shows no messages of the type "${type}"`)
  const caption = readLines([payload.caption ?? payload.title])
  return [{ url: String(payload[field]), ...(caption && { content: toPlain(caption) }) }]
}

const toPlain = (text: string) => writeDiscord({ text, marks: [] }).slice(0, 2_000)

async function toTexts(markdown: string): Promise<{ content: string }[]> {
  const parts = await toRichParts(markdown, maxText)
  return parts.flatMap(writeParts).map((content) => ({ content }))
}

function toLocation({
  latitude,
  longitude,
  title,
  address,
}: Record<string, unknown>): string {
  const url = toMapUrl({ latitude, longitude })
  return [toPlain(readLines([title, address])), url].filter(Boolean).join('\n')
}

async function toChoice(message: Content): Promise<Part[]> {
  const text = String(message.payload.text)
  const full = hasLongLabels(message) ? writeOptions(text, readOptions(message)) : text
  return withRows(await toTexts(full), toOptionRows(message))
}

/** Puts the components below the last text. More than a message admits follow in separate messages. */
function withRows(texts: Part[], rows: Row[]): Part[] {
  const [first, ...more] = chunk(rows, maxRows)
  if (!first) return texts
  const last = texts.at(-1) ?? { content: '…' }
  return [
    ...texts.slice(0, -1),
    { ...last, components: first },
    ...more.map((components) => ({ content: '…', components })),
  ]
}

function toCards(message: Content): Part[] {
  let index = 0
  return readCards(message).flatMap((card) => {
    const rows = toActionRows(message, card.actions, index)
    index += card.actions.filter(({ action }) => action !== 'url').length
    return withRows(toCard(card), rows)
  })
}

function toCard(card: Card): Part[] {
  const texts: Part[] = splitRichText(toCardText(card), maxText)
    .flatMap(writeParts)
    .map((content) => ({ content }))
  const [first, ...rest] = texts
  return card.imageUrl ? [{ ...first, url: card.imageUrl }, ...rest] : texts
}

async function toBloc({ id, payload }: Content): Promise<Part[]> {
  const items = readBloc({ payload })
  const parts = await Promise.all(items.map((item) => toParts({ id, ...item })))
  return parts.flat()
}

/** Discord returns the first message when a call with the same nonce is repeated within some minutes. */
const toNonce = (messageId: string, part: number) =>
  createHash('sha256').update(`${messageId}/${part}`).digest('base64url').slice(0, 25)

interface Sent {
  id: string
  channel_id: string
}

interface PartPlace {
  /** Position of the part in the bot's message. */
  index: number
  /** The command that it answers. */
  reply: Reply | null
}

/** Returns the tags of the message. */
export async function sendPart(
  context: Context,
  { id, conversation }: Pick<OutgoingMessage, 'id' | 'conversation'>,
  part: Part,
  { index, reply }: PartPlace,
): Promise<Record<string, string>> {
  const { url, content, components } = part
  const file = url === undefined ? null : await loadFile(context, url, maxUploadBytes)
  const text = url === undefined || file ? content : addLink(url, content)
  const value = {
    ...(text && { content: text }),
    ...(components && { components }),
    // What a bot writes does not call up a whole server.
    allowed_mentions: { parse: ['users'] },
  }
  const upload = file ? toUpload(file) : undefined
  const path = `/channels/${encodeURIComponent(conversation.tags.id ?? '')}/messages`
  const unique = { ...value, nonce: toNonce(id, index), enforce_nonce: true }
  const send = () => post<Sent>(context, path, unique, upload)
  const sent = reply
    ? await sendReply<Sent>(context, reply, value, upload).catch((error) => {
        const isLate = error instanceof ChannelError && error.message.startsWith(tooLate)
        if (reply.isPrivate || !isLate) throw error
        return send()
      })
    : await send()
  return { id: sent.id, channelId: sent.channel_id }
}

/** What cannot be loaded is sent as a link. */
const addLink = (url: string, content = toPlain(toFileName(url))) =>
  `${content.slice(0, Math.max(0, 1_990 - url.length))}\n${url}`

/** Discord shows a picture only by the ending of its name. */
const toUpload = (file: Upload): Upload => {
  const ending = /^image\/(png|jpeg|gif|webp)/.exec(file.contentType)?.[1]
  return /\.\w{2,5}$/.test(file.name) || !ending
    ? file
    : { ...file, name: `${file.name}.${ending}` }
}
