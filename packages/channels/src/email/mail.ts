// An e-mail of a person as messages: its new text, and its attachments as files.
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow'
import type { Arrival, Context } from '../channel.ts'
import { isAuthenticated } from './authentication.ts'
import { decidingHeaders, isAutomatic } from './automatic.ts'
import { readAllHeaders, readHeaders } from './headers.ts'
import { toPlainText } from './html-text.ts'
import { cutQuotes } from './quotes.ts'
import { findThread, isOwnId, toTag } from './threads.ts'

const maxTextBytes = 256 * 1_024
const maxFileBytes = 25 * 2 ** 20
const maxFiles = 20
/** Smaller pictures inside of the text are logos of signatures. */
const minInlineBytes = 10 * 1_024

export const mailQuery = {
  uid: true,
  envelope: true,
  bodyStructure: true,
  internalDate: true,
  headers: [
    'from',
    'references',
    'in-reply-to',
    'authentication-results',
    ...decidingHeaders,
  ],
}

interface Mail {
  client: ImapFlow
  uid: number
  messageId: string
  structure: MessageStructureObject
}

/** Returns nothing for an e-mail that the bot must not answer. */
export async function toArrivals(
  context: Context,
  client: ImapFlow,
  { uid, envelope, bodyStructure: structure, headers: raw }: FetchMessageObject,
): Promise<Arrival[]> {
  const headers = readHeaders(raw)
  const from = envelope?.from?.[0]
  const sender = envelope?.replyTo?.[0]?.address ? envelope.replyTo[0] : from
  const address = sender?.address?.trim().toLowerCase() ?? ''
  if (!structure || !isAddress(address) || isOwn(context, address, envelope?.messageId))
    return []
  if (isAutomatic(headers, address) || isAutomatic(headers, from?.address ?? ''))
    return []
  const messageId = envelope?.messageId || `<${uid}.${getValidity(client)}@imap.invalid>`
  const subject = envelope?.subject ?? ''
  const thread = await findThread(context, { headers, messageId, address, subject })
  const id = toTag(messageId)
  const isVerified = isAuthenticated(
    readAllHeaders(raw),
    envelope?.from,
    context.configuration.authenticationServer,
  )
  const contents = await readContents(
    context,
    { client, uid, messageId, structure },
    subject,
  )
  return contents.map((content, i) => ({
    conversation: { channel: 'default', tags: thread, by: ['id'] },
    user: {
      tags: { id: address, email: address },
      by: ['id'],
      // Answers go to the address in Reply-To, which nothing proves.
      addresses: [
        {
          kind: 'email',
          address,
          isVerified: isVerified && address === from?.address?.trim().toLowerCase(),
        },
      ],
      name: (sender?.name || address).slice(0, 200),
    },
    message: { ...content, tags: { id: i === 0 ? id : `${id}.${i}` }, by: ['id'] },
  }))
}

const maxAddress = 320
const isAddress = (text: string) => text.includes('@') && text.length <= maxAddress

const getValidity = ({ mailbox }: ImapFlow) =>
  mailbox ? String(mailbox.uidValidity) : ''

const isOwn = ({ configuration }: Context, address: string, messageId = '') =>
  isOwnId(messageId) ||
  [configuration.user, configuration.from].some(
    (own) => typeof own === 'string' && toAddress(own) === address,
  )

/** Returns the address of "Shop <help@example.org>". */
export const toAddress = (sender: string) =>
  (/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender).trim().toLowerCase()

type Content = Pick<NonNullable<Arrival['message']>, 'type' | 'payload'>

async function readContents(
  context: Context,
  mail: Mail,
  subject: string,
): Promise<Content[]> {
  const leaves = listLeaves(mail.structure)
  const text = await readBody(mail, leaves)
  const files = leaves.filter(isFile)
  const contents: Content[] = []
  if (text !== '' || files.length === 0)
    contents.push({
      type: 'text',
      payload: { text: text || subject || '(empty)', subject },
    })
  for (const file of files.slice(0, maxFiles))
    contents.push(await readFile(context, mail, file))
  if (files.length > maxFiles)
    contents.push({
      type: 'text',
      payload: { text: `[${files.length - maxFiles} more files]` },
    })
  return contents
}

const listLeaves = (node: MessageStructureObject): MessageStructureObject[] =>
  node.childNodes ? node.childNodes.flatMap(listLeaves) : [node]

const toName = ({ dispositionParameters, parameters }: MessageStructureObject) =>
  dispositionParameters?.filename ?? parameters?.name ?? ''

const isText = (node: MessageStructureObject) =>
  /^text\/(?:plain|html)$/i.test(node.type) &&
  !/attachment/i.test(node.disposition ?? '') &&
  !toName(node)

const isFile = (node: MessageStructureObject) =>
  !isText(node) &&
  !(node.id && /^image\//i.test(node.type) && (node.size ?? 0) < minInlineBytes)

async function readBody(mail: Mail, leaves: MessageStructureObject[]): Promise<string> {
  const find = (type: string) =>
    leaves.find((one) => isText(one) && one.type.toLowerCase() === type)
  const plain = find('text/plain')
  const text = plain ? await download(mail, plain) : ''
  if (text.trim() !== '') return cutQuotes(text)
  const html = find('text/html')
  return html ? cutQuotes(await toPlainText(await download(mail, html))) : ''
}

const download = async (mail: Mail, node: MessageStructureObject) =>
  (await load(mail, node, { maxBytes: maxTextBytes }))?.toString() ??
  '[The text cannot be read]'

/** Null for a part that is damaged: it would stop all that follow. */
async function load(
  { client, uid }: Mail,
  { part = '1' }: MessageStructureObject,
  options: { maxBytes: number; chunkSize?: number },
): Promise<Buffer | null> {
  try {
    const { content } = await client.download(String(uid), part, {
      uid: true,
      ...options,
    })
    return content ? await buffer(content) : Buffer.alloc(0)
  } catch (error) {
    if (!client.usable) throw error
    return null
  }
}

async function readFile(
  { host }: Context,
  mail: Mail,
  node: MessageStructureObject,
): Promise<Content> {
  const { part = '1', size = 0 } = node
  const contentType = node.type.toLowerCase()
  const name = toFileName(node)
  // The size is that of the encoded content.
  if (size > maxFileBytes * 1.4)
    return { type: 'text', payload: { text: `[${name}: larger than 25 MB]` } }
  const content = await load(mail, node, {
    maxBytes: maxFileBytes,
    chunkSize: 512 * 1_024,
  })
  if (!content) return { type: 'text', payload: { text: `[${name}: cannot be read]` } }
  const key = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 32)
  const url = await host.storeFile({
    key: `email/${key}/${part}/${name}`,
    name,
    contentType,
    content,
  })
  const type = /^(image|audio|video)\//.exec(contentType)?.[1] ?? 'file'
  return { type, payload: { [`${type}Url`]: url, title: name } }
}

/** Paths and control characters have no place in the name of a file. */
function toFileName(node: MessageStructureObject): string {
  const name = (toName(node).split(/[/\\]/).at(-1) ?? '')
    .replace(/\p{Cc}/gu, '')
    .slice(-100)
  if (name.replaceAll('.', '') !== '') return name
  return node.type.toLowerCase() === 'message/rfc822' ? 'message.eml' : 'file'
}
