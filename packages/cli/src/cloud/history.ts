// Moves users, conversations, messages and states. Users come before conversations, which name them
// as participants, and conversations before their messages.
import type { Client } from '@botstead/client'
import { isPathPart, isRejected } from './ends.ts'
import { type BotMove, type BotSource, inParallel, toEntries } from './migration.ts'

type History = NonNullable<Parameters<Client['platform']['importHistory']>[0]>['body']
type PastUser = NonNullable<NonNullable<History>['users']>[number]
type PastConversation = NonNullable<NonNullable<History>['conversations']>[number]
type PastMessage = NonNullable<NonNullable<History>['messages']>[number]
type Message = Awaited<ReturnType<Client['runtime']['listMessages']>>['messages'][number]
type User = Awaited<ReturnType<Client['runtime']['listUsers']>>['users'][number]
type Conversation = Awaited<
  ReturnType<Client['runtime']['listConversations']>
>['conversations'][number]

/** Oldest first: objects that arrive meanwhile come last. */
const byAge = { sortField: 'createdAt', sortDirection: 'asc' } as const

export const userPages = ({ pages, read }: BotSource, start?: string) =>
  pages(async (query) => {
    const { users, meta } = await read.runtime.listUsers({
      query: { ...byAge, ...query },
    })
    return { items: users, ...meta }
  }, start)

export async function moveUsers(move: BotMove): Promise<void> {
  const position = move.key('users')
  let count = 0
  for await (const { items, nextToken } of userPages(move, move.journal.get(position))) {
    const users = items.filter(({ id }) => id !== move.bot.id)
    await write(move, 'users', users.map(toPastUser))
    await inParallel(users, ({ id }) => moveStates(move, 'user', id, id))
    move.journal.set(position, nextToken ?? '')
    count += users.length
    move.show(`${move.bot.name}: ${count} users`)
  }
}

/** An integration sees only its own users; tags with its name show which ones these are. */
function toPastUser({
  id,
  createdAt,
  updatedAt,
  name,
  pictureUrl,
  tags,
  ...rest
}: User): PastUser {
  const integration = Object.keys(tags)
    .find((tag) => tag.includes(':'))
    ?.split(':')[0]
  const properties = rest.properties ?? rest.attributes
  return {
    id,
    createdAt,
    updatedAt,
    tags,
    ...(integration && { integration }),
    ...(name !== undefined && { name }),
    ...(pictureUrl !== undefined && { pictureUrl }),
    ...(properties && { properties }),
  }
}

export const conversationPages = ({ pages, read }: BotSource, start?: string) =>
  pages(async (query) => {
    const { conversations, meta } = await read.runtime.listConversations({
      query: { ...byAge, ...query },
    })
    return { items: conversations, ...meta }
  }, start)

export async function moveConversations(move: BotMove): Promise<void> {
  const position = move.key('conversations')
  let [count, messages] = [0, 0]
  for await (const { items, nextToken } of conversationPages(
    move,
    move.journal.get(position),
  )) {
    await inParallel(items, async (conversation) => {
      messages += await moveConversation(move, conversation)
      move.show(`${move.bot.name}: ${++count} conversations, ${messages} messages`)
    })
    move.journal.set(position, nextToken ?? '')
  }
}

async function moveConversation(
  move: BotMove,
  conversation: Conversation,
): Promise<number> {
  const { id, createdAt, updatedAt, integration, channel, tags, properties } =
    conversation
  if (!hasValidId(move, conversation)) return 0
  const participantIds: string[] = []
  const pages = move.pages(async (query) => {
    const { participants, meta } = await move.read.runtime.listParticipants({
      params: { id },
      query,
    })
    return { items: participants, ...meta }
  })
  for await (const { items } of pages)
    participantIds.push(...items.map((one) => own(move, one.id)))
  const past: PastConversation = {
    id,
    createdAt,
    updatedAt,
    integration,
    channel,
    tags,
    participantIds,
    ...(properties && { properties }),
  }
  if (!(await write(move, 'conversations', [past]))) return 0
  const count = await moveMessages(move, id)
  await moveStates(move, 'conversation', id, id)
  return count
}

export function hasValidId({ findings, bot }: BotSource, { id }: Conversation): boolean {
  if (!isPathPart(id))
    findings.reject(bot.name, 'conversations', 'the id is invalid', String(id))
  return isPathPart(id)
}

/** Pages come newest first, as `importHistory` requires. */
async function moveMessages(move: BotMove, conversationId: string): Promise<number> {
  let count = 0
  const pages = move.pages(async (query) => {
    const { messages, meta } = await move.read.runtime.listMessages({
      query: { conversationId, ...query },
    })
    return { items: messages, ...meta }
  })
  for await (const { items } of pages) {
    await write(move, 'messages', items.map((one) => toPastMessage(move, one)).reverse())
    count += items.length
  }
  return count
}

const toPastMessage = (move: BotMove, message: Message): PastMessage => {
  const { id, createdAt, updatedAt, conversationId, direction, type, payload, tags } =
    message
  const userId = own(move, message.userId)
  return {
    id,
    createdAt,
    updatedAt,
    conversationId,
    userId,
    direction,
    type,
    payload,
    tags,
  }
}

/** The bot has another id in the target. */
const own = ({ bot, targetId }: BotMove, id: string) => (id === bot.id ? targetId : id)

const maxItems = 100
/** Below the limit of a request, 1 MB. */
const maxBytes = 700_000

type Kind = 'users' | 'conversations' | 'messages'

/**
 * Writes items in requests of limited size, those at the end first. Splits a rejected request, so
 * that one invalid item does not stop the others. Returns whether all were written.
 */
async function write(move: BotMove, kind: Kind, items: object[]): Promise<boolean> {
  let isComplete = true
  for (const batch of toBatches(items))
    if (!(await writeBatch(move, kind, batch))) isComplete = false
  return isComplete
}

function toBatches(items: object[]): object[][] {
  const batches: object[][] = []
  let [batch, bytes]: [object[], number] = [[], 0]
  for (const item of items.toReversed()) {
    const size = Buffer.byteLength(JSON.stringify(item))
    if (batch.length === maxItems || (batch.length > 0 && bytes + size > maxBytes)) {
      batches.push(batch.reverse())
      ;[batch, bytes] = [[], 0]
    }
    batch.push(item)
    bytes += size
  }
  return batch.length === 0 ? batches : [...batches, batch.reverse()]
}

async function writeBatch(move: BotMove, kind: Kind, batch: object[]): Promise<boolean> {
  try {
    const body = { [kind]: batch } as History
    const written = await move.write.platform.importHistory({ body } as never)
    move.findings.add(kind, written[kind])
    return true
  } catch (error) {
    if (!isRejected(error)) throw error
    if (batch.length === 1) {
      const { id } = batch[0] as { id?: unknown }
      move.findings.reject(move.bot.name, kind, error, String(id))
      return false
    }
    const middle = batch.length >> 1
    const newer = await writeBatch(move, kind, batch.slice(middle))
    return (await writeBatch(move, kind, batch.slice(0, middle))) && newer
  }
}

type Subject = 'user' | 'conversation' | 'bot'
type State = Awaited<ReturnType<Client['runtime']['getState']>>['state']

/** A state that exists in the target stays unchanged. */
export const moveStates = (move: BotMove, type: Subject, id: string, targetId: string) =>
  eachState(move, type, id, async (name, { payload, expiry }) => {
    const { meta } = await move.write.runtime.getOrSetState({
      params: { type, id: targetId, name },
      body: { payload, ...(expiry !== undefined && { expiry }) },
    })
    move.findings.add('states', meta.cached ? 0 : 1)
  })

/** Only the definition of the bot has the names of states. */
export async function eachState(
  { read, findings, bot }: BotSource,
  type: Subject,
  id: string,
  work: (name: string, state: State) => Promise<void> | void,
): Promise<void> {
  if (!isPathPart(id)) return
  for (const [name, definition] of toEntries(bot.states)) {
    if (definition?.type !== type || !isPathPart(name)) continue
    try {
      const { state } = await read.runtime.getState({ params: { type, id, name } })
      await work(name, state)
    } catch (error) {
      // Most objects lack most states.
      if (isRejected(error) && error.status === 404) continue
      if (!isRejected(error)) throw error
      findings.reject(bot.name, 'states', error, `${type} ${id} ${name}`)
    }
  }
}
