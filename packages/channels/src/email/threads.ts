// Threads of e-mails (RFC 5322, References) as conversations. A thread with several people is one
// conversation for each, so that an answer goes only to the author.
import { createHash } from 'node:crypto'
import type { Context } from '../channel.ts'
import type { Headers } from './headers.ts'

/** Message-IDs of the bot's e-mails have the ids of its messages: a repetition is recognized. */
const ownId = /^<(msg_[0-9A-Za-z]{10,60})@[^<>@]+>$/
export const toOwnId = (id: string, domain: string) => `<${id}@${domain}>`
export const isOwnId = (messageId: string) => ownId.test(messageId)

const maxReferences = 50
const maxTag = 400

interface Incoming {
  headers: Headers
  messageId: string
  address: string
  subject: string
}

/** Returns the tags of the conversation to which an e-mail belongs. */
export async function findThread(
  context: Context,
  { headers, messageId, address, subject }: Incoming,
): Promise<Record<string, string>> {
  const references = listIds(headers)
  const latest = { to: address, latestEmail: messageId.slice(0, maxTag) }
  const id = await findAnswered(context, references, address)
  if (id !== null) return { id, ...latest }
  const first = references[0] ?? messageId
  const topic = subject
    .replace(/^(?:\s*(?:re|aw|sv|antw|fwd?|wg)\s*:)+\s*/i, '')
    .slice(0, maxTag)
  return {
    id: toThreadId(first, address),
    firstMessageId: first.slice(0, maxTag),
    ...(topic && { subject: topic }),
    ...latest,
  }
}

function listIds(headers: Headers): string[] {
  const text = ['references', 'in-reply-to']
    .map((name) => headers.get(name) ?? '')
    .join(' ')
  const all = text.match(/<[^<>\s]{1,900}>/g) ?? []
  return [...all.slice(0, 1), ...all.slice(1).slice(-maxReferences)]
}

/** Returns the id of the conversation with this person in which the bot sent the e-mail that is answered. */
async function findAnswered(
  { host }: Context,
  references: string[],
  address: string,
): Promise<string | null> {
  for (const reference of references.toReversed()) {
    const id = ownId.exec(reference)?.[1]
    const message = id === undefined ? null : await host.findMessage(id)
    const tags = message && (await host.findConversation(message.conversationId))?.tags
    if (tags?.id && (tags.to ?? tags.id).toLowerCase() === address) return tags.id
  }
  return null
}

const toThreadId = (first: string, address: string) => toTag(`${first} ${address}`)

/** Tags have at most 500 characters. */
export const toTag = (id: string): string =>
  id.length <= maxTag ? id : createHash('sha256').update(id).digest('hex')
