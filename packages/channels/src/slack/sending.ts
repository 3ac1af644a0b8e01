// Messages of bots as messages and files of Slack.
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
import { readOptions, writeOptions } from '../text/choices.ts'
import { toRichParts } from '../text/long-text.ts'
import { splitRichText } from '../text/split.ts'
import { call } from './api.ts'
import {
  type Block,
  hasLongLabels,
  toCardBlocks,
  toImage,
  toOptionBlocks,
  toSection,
} from './blocks.ts'
import { upload } from './files.ts'
import { writeMrkdwn } from './formatting.ts'

/** One message, or one file, in the conversation. */
type Part =
  | { text: string; blocks?: Block[] }
  | { url: string; title: string; isImage: boolean }

/** Before it is written as mrkdwn; Slack cuts off texts over 40,000. */
const maxText = 3_500
const maxBlocks = 50
const maxUploadBytes = 50 * 2 ** 20

type Content = Pick<OutgoingMessage, 'id' | 'type' | 'payload'>

const mediaUrls: Record<string, string | undefined> = {
  image: 'imageUrl',
  audio: 'audioUrl',
  video: 'videoUrl',
  file: 'fileUrl',
}

/** Throws ChannelError ("rejected") for a message that Slack cannot show. */
export async function toParts(context: Context, message: Content): Promise<Part[]> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toTexts(String(payload.text ?? payload.markdown))
  if (type === 'location') return [{ text: toLocation(payload) }]
  if (type === 'choice' || type === 'dropdown') return toChoice(message)
  if (type === 'card' || type === 'carousel') return toCards(context, message)
  if (type === 'bloc') return toBloc(context, message)
  const field = mediaUrls[type]
  if (field === undefined)
    throw new ChannelError('rejected', `Slack shows no messages of the type "${type}"`)
  const url = String(payload[field])
  const title = readLines([payload.caption ?? payload.title])
  return [{ url, title, isImage: type === 'image' }]
}

async function toTexts(markdown: string): Promise<{ text: string }[]> {
  const parts = await toRichParts(markdown, maxText)
  return parts.map((rich) => ({ text: writeMrkdwn(rich) }))
}

function toLocation({
  latitude,
  longitude,
  title,
  address,
}: Record<string, unknown>): string {
  const url = toMapUrl({ latitude, longitude })
  const name = readLines([title, address]) || `${latitude}, ${longitude}`
  const marks = [{ kind: 'link' as const, from: 0, to: name.length, url }]
  return writeMrkdwn({ text: name, marks })
}

/** A text that is too long for a block is a separate message before the buttons. */
async function toChoice(message: Content): Promise<Part[]> {
  const options = readOptions(message)
  const text = String(message.payload.text)
  const texts = await toTexts(hasLongLabels(message) ? writeOptions(text, options) : text)
  const last = texts.at(-1)?.text ?? ''
  const section = last === '' ? null : toSection(last)
  const buttons = toOptionBlocks(message)
  const before = section ? texts.slice(0, -1) : texts
  return [
    ...before,
    ...toMessages(last || '…', section ? [section, ...buttons] : buttons),
  ]
}

/** A message has a limited number of blocks. Notifications show its text. */
function toMessages(text: string, blocks: Block[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < blocks.length; i += maxBlocks)
    parts.push({ text, blocks: blocks.slice(i, i + maxBlocks) })
  return blocks.length > 0 ? parts : [{ text }]
}

async function toCards(context: Context, message: Content): Promise<Part[]> {
  const parts: Part[] = []
  let index = 0
  for (const card of readCards(message)) {
    parts.push(...(await toCard(context, message, card, index)))
    index += card.actions.filter(({ action }) => action !== 'url').length
  }
  return parts
}

async function toCard(
  { host }: Context,
  message: Content,
  card: Card,
  index: number,
): Promise<Part[]> {
  const rich = toCardText(card)
  const text = writeMrkdwn(rich)
  const above = toSection(text)
    ? []
    : splitRichText(rich, maxText).map((one) => ({ text: writeMrkdwn(one) }))
  const blocks = toCardBlocks(message, card, index)
  const { imageUrl: url, title } = card
  if (!url) return [...above, ...toMessages(card.title, blocks)]
  // Slack may not reach a file of this server, and shows an uploaded one as a separate message.
  if (await host.readFile(url))
    return [{ url, title, isImage: true }, ...above, ...toMessages(title, blocks)]
  return [...above, ...toMessages(title, [toImage(url, title), ...blocks])]
}

async function toBloc(context: Context, { id, payload }: Content): Promise<Part[]> {
  const items = readBloc({ payload })
  const parts = await Promise.all(items.map((item) => toParts(context, { id, ...item })))
  return parts.flat()
}

type Conversation = Pick<OutgoingMessage['conversation'], 'tags'>

const toPlace = ({ tags }: Conversation) => ({
  channel: tags.id ?? '',
  ...(tags.thread && { thread_ts: tags.thread }),
})

/** Returns the tags of the message. */
export async function sendPart(
  context: Context,
  conversation: Conversation,
  part: Part,
): Promise<Record<string, string>> {
  if ('url' in part) return sendMedia(context, conversation, part)
  return post(context, conversation, part)
}

async function post(
  context: Context,
  conversation: Conversation,
  part: { text: string; blocks?: Block[] },
): Promise<Record<string, string>> {
  const { botName, botAvatarUrl } = context.configuration
  const { ts, channel, message } = await call<{
    ts: string
    channel: string
    message?: { user?: string }
  }>(context, 'chat.postMessage', {
    ...toPlace(conversation),
    ...part,
    ...(botName ? { username: botName } : {}),
    ...(botAvatarUrl ? { icon_url: botAvatarUrl } : {}),
  })
  return { ts, channelId: channel, ...(message?.user && { userId: message.user }) }
}

/** What cannot be loaded is sent as a link. */
async function sendMedia(
  context: Context,
  conversation: Conversation,
  { url, title, isImage }: { url: string; title: string; isImage: boolean },
): Promise<Record<string, string>> {
  const place = toPlace(conversation)
  const file = await loadFile(context, url, maxUploadBytes)
  if (file) {
    await upload(context, place, file, title || file.name)
    return { channelId: place.channel }
  }
  const name = title || toFileName(url)
  const marks = [{ kind: 'link' as const, from: 0, to: name.length, url }]
  const text = writeMrkdwn({ text: name, marks })
  return post(
    context,
    conversation,
    isImage ? { text, blocks: [toImage(url, name)] } : { text },
  )
}
