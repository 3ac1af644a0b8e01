// Messages that arrive together, of people who have written before, in few statements: providers deliver in
// batches, and nearly all people and conversations are known, and as they were.
import type { Db } from '../../db/index.ts'
import {
  type ConversationRow,
  findConversationsByTags,
  isUnchangedConversation,
  type NewConversation,
} from '../conversations.ts'
import { lockKeys } from '../get-or-create.ts'
import { changeOfTags, discriminating, type Tags } from '../tags/tags.ts'
import { findUsersByTags, isUnchangedUser, type NewUser, type UserRow } from '../users.ts'
import { findKnownMessages } from './message-imports.ts'
import type { MessageWriter } from './message-writer.ts'
import { applyMessageChange, toLockKey } from './messages.ts'

/** What arrived; `by` names the tags that identify each. */
interface Arrived {
  user: NewUser
  userBy: string[]
  conversation: NewConversation
  conversationBy: string[]
}

export interface KnownPlace {
  user: UserRow
  conversation: ConversationRow
}

/**
 * For each that arrived, returns the user and the conversation if both exist and stay as they are; otherwise
 * undefined: `initializeIncoming` then creates or changes them.
 */
async function findKnownPlaces(
  db: Db,
  botId: string,
  alias: string,
  arrived: Arrived[],
): Promise<(KnownPlace | undefined)[]> {
  if (arrived.length === 0) return []
  const match = (tags: NewUser['tags'], by: string[]) =>
    discriminating(tags ?? {}, by, alias) ?? {}
  const users = await findUsersByTags(
    db,
    botId,
    alias,
    arrived.map(({ user, userBy }) => match(user.tags, userBy)),
  )
  const conversations = await findConversationsByTags(
    db,
    botId,
    alias,
    arrived.map(({ conversation: { channel, tags }, conversationBy }) => ({
      channel,
      tags: match(tags, conversationBy),
    })),
  )
  return arrived.map((one, at) => {
    const [user, conversation] = [users[at], conversations[at]]
    if (!user || !conversation) return undefined
    const { integration: _alias, ...change } = one.user
    const { tags } = one.conversation
    return isUnchangedUser(user, alias, change) &&
      isUnchangedConversation(conversation, alias, { tags })
      ? { user, conversation }
      : undefined
  })
}

/** A message for a known place. */
export interface KnownMessage {
  conversationId: string
  userId: string
  type: string
  payload: Record<string, unknown>
  tags: Tags
  by: string[]
}

/**
 * Posts messages inside of a transaction, those of a conversation in their order. One that is stored
 * already, by its tags, gets the payload, and is not posted again. No two of a conversation may have the
 * same tags.
 */
export async function postKnown(
  { db, messages }: { db: Db; messages: MessageWriter },
  botId: string,
  alias: string,
  arrived: KnownMessage[],
): Promise<void> {
  const wanted = arrived.map((input, at) => ({
    at,
    input,
    match: discriminating(input.tags, input.by, alias),
  }))
  await lockKeys(
    db,
    wanted.flatMap(({ match }) => (match ? [toLockKey(botId, match)] : [])),
  )
  const found = await findKnownMessages(db, botId, wanted)
  for (const [at, row] of found) {
    const { tags, payload } = arrived[at]!
    await applyMessageChange(db, row, alias, { tags, payload })
  }
  const chats = new Map<string, KnownMessage[]>()
  for (const message of arrived.filter((_, at) => !found.has(at))) {
    const chat = chats.get(message.conversationId)
    if (chat) chat.push(message)
    else chats.set(message.conversationId, [message])
  }
  const post = ({ by: _by, tags, ...message }: KnownMessage) =>
    messages.post({
      ...message,
      botId,
      direction: 'incoming',
      tags: changeOfTags(tags, alias).set,
      cause: null,
    })
  // One after another: redaction and hooks of a later one may end earlier, and it would get a lower number.
  const postChat = async (chat: KnownMessage[]) => {
    for (const message of chat) await post(message)
  }
  await Promise.all([...chats.values()].map(postChat))
}

/** Messages of users whose conversation is known. */
export const knownIncoming = {
  findPlaces: findKnownPlaces,
  post: postKnown,
}
