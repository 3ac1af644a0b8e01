// Messages of bots as e-mails: HTML with a text alternative, files of this server attached.
import MarkdownIt from 'markdown-it'
import { ChannelError, type Context, type OutgoingMessage } from '../channel.ts'
import { type Card, readCards, readLines } from '../messages.ts'
import { readOptions, writeOptions } from '../text/choices.ts'
import { toRichParts } from '../text/long-text.ts'
import { writeRichText } from '../text/rich-text.ts'
import { splitText } from '../text/split.ts'

interface Attachment {
  filename: string
  contentType: string
  content: Buffer
  /** Shown in the text. */
  cid?: string
}

export interface Content {
  text: string
  html: string
  attachments: Attachment[]
}

type Message = Pick<OutgoingMessage, 'type' | 'payload'>

const parser = new MarkdownIt({ html: false, linkify: true, breaks: true })
/** In characters: it takes about a millisecond, and others have a turn in between. */
const pieceLength = 8_000

/** Throws ChannelError ("rejected") for a message that no e-mail can show. */
export async function toContent(context: Context, message: Message): Promise<Content> {
  const { type, payload } = message
  if (type === 'text' || type === 'markdown')
    return toText(String(payload.text ?? payload.markdown))
  if (type === 'choice' || type === 'dropdown')
    return toText(writeOptions(String(payload.text), readOptions(message)))
  if (type === 'location') return toText(toLocation(payload))
  if (type === 'card' || type === 'carousel') return toCards(context, message)
  if (type === 'bloc') {
    const items = payload.items as Message[]
    return join(await Promise.all(items.map((item) => toContent(context, item))))
  }
  if (mediaTypes.includes(type))
    return toMedia(context, String(payload[`${type}Url`]), message)
  throw new ChannelError('rejected', `E-mails show no messages of the type "${type}"`)
}

const mediaTypes = ['image', 'audio', 'video', 'file']

async function toText(markdown: string): Promise<Content> {
  const plain = (await toRichParts(markdown, pieceLength)).map((rich) =>
    writeRichText(rich, {}),
  )
  let html = ''
  for (const piece of splitText(markdown, pieceLength)) {
    html += parser.render(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { text: plain.join('\n'), html, attachments: [] }
}

const join = (contents: Content[]): Content => ({
  text: contents
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n'),
  html: contents.map(({ html }) => html).join('<br>'),
  attachments: contents.flatMap(({ attachments }) => attachments),
})

const toLocation = ({ latitude, longitude, title, address }: Record<string, unknown>) => {
  const place = `${Number(latitude)}/${Number(longitude)}`
  const map = `https://www.openstreetmap.org/?mlat=${Number(latitude)}&mlon=${Number(longitude)}#map=16/${place}`
  return readLines([title, address, map])
}

/** Options are counted over all cards, as people answer them by their numbers. */
async function toCards(context: Context, message: Message): Promise<Content> {
  let count = 0
  const contents: Content[] = []
  for (const card of readCards(message)) {
    const { text, options } = toCardText(card, count)
    count += options
    const picture = card.imageUrl
      ? [await toMedia(context, card.imageUrl, { type: 'image', payload: {} })]
      : []
    contents.push(...picture, await toText(text))
  }
  return join(contents)
}

function toCardText({ title, subtitle, actions }: Card, count: number) {
  const options = actions.filter(({ action }) => action !== 'url')
  const links = actions.filter(({ action }) => action === 'url')
  const lines = [
    ...options.map(({ label }, i) => `${count + i + 1}. ${label}`),
    ...links.map(({ label, value }) => `${label}: ${value}`),
  ]
  const text = [`**${title}**`, subtitle, lines.join('\n')].filter(Boolean).join('\n\n')
  return { text, options: options.length }
}

/** A file of this server is attached, because others may not reach its address. */
async function toMedia(
  { host }: Context,
  url: string,
  { type, payload }: Message,
): Promise<Content> {
  const title = readLines([payload.caption ?? payload.title])
  const file = await host.readFile(url)
  if (!file) {
    const link = await toText(title ? `${title}: ${url}` : url)
    return type === 'image'
      ? { ...link, html: `${toPicture(url)}${title ? link.html : ''}` }
      : link
  }
  const { name, contentType, content } = file
  const cid = type === 'image' ? `${crypto.randomUUID()}@botstead` : undefined
  const attachment = {
    filename: name,
    contentType,
    content: Buffer.from(content),
    ...(cid && { cid }),
  }
  const text = title ? await toText(title) : { text: '', html: '' }
  const html = cid ? `${toPicture(`cid:${cid}`)}${text.html}` : text.html
  return { text: text.text, html, attachments: [attachment] }
}

const toPicture = (url: string) =>
  `<p><img src="${parser.utils.escapeHtml(url)}" alt="" style="max-width: 100%"></p>`
