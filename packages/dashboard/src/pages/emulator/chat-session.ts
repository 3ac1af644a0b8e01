// The emulator's person and conversation in the chat of a bot. They stay in this browser, so that a
// reload or another tab continues the conversation.
import type { Client } from '@botstead/client'

interface Person {
  userId: string
  userKey: string
}

export interface ChatSession extends Person {
  conversationId: string
}

/** Without a conversation, the first message begins one. */
type Stored = Person & Partial<ChatSession>

const toName = (webhookId: string) => `botstead.emulator.${webhookId}`

function stored(webhookId: string): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(toName(webhookId)) ?? 'null')
  } catch {
    return null
  }
}

function store(webhookId: string, session: Stored) {
  try {
    localStorage.setItem(toName(webhookId), JSON.stringify(session))
  } catch {
    // Storage is disabled: a reload begins a new conversation.
  }
}

/** Returns the stored session; null without one that the server still accepts. */
export async function findChatSession(
  client: Client,
  webhookId: string,
): Promise<ChatSession | null> {
  const known = stored(webhookId)
  if (!known?.conversationId) return null
  const { conversationId, ...person } = known
  return client.chat
    .getConversation({ params: { webhookId, id: conversationId } }, getKey(person))
    .then(() => ({ ...person, conversationId }))
    .catch((error) => {
      if (!isRejected(error)) throw error
      return null
    })
}

/** Begins a conversation of the person of this browser, or of a new one with this name. */
export async function startConversation(
  client: Client,
  webhookId: string,
  name: string,
): Promise<ChatSession> {
  const begin = async (person: Person) => {
    const request = { params: { webhookId }, body: {} }
    const { conversation } = await client.chat.createConversation(request, getKey(person))
    const { userId, userKey } = person
    return { userId, userKey, conversationId: conversation.id }
  }
  const beginAnew = async () => begin(await createPerson(client, webhookId, name))
  const known = stored(webhookId)
  const session = await (known
    ? begin(known).catch((error) => {
        if (!isRejected(error)) throw error
        return beginAnew()
      })
    : beginAnew())
  store(webhookId, session)
  return session
}

/** The next message begins another conversation of the same person. */
export function leaveConversation(
  webhookId: string,
  { userId, userKey }: ChatSession,
): void {
  store(webhookId, { userId, userKey })
}

const getKey = ({ userKey }: Person) => ({ headers: { 'x-user-key': userKey } })

/** The person was deleted, or the keys of the chat have changed. */
const isRejected = ({ status }: { status?: number }) =>
  status !== undefined && status < 500 && status !== 429

async function createPerson(
  client: Client,
  webhookId: string,
  name: string,
): Promise<Person> {
  const { user, key } = await client.chat.createUser({
    params: { webhookId },
    body: { name },
  })
  // Reports do not count members who try the bot.
  await client.runtime.updateUser({
    params: { id: user.id },
    body: { tags: { emulator: 'true' } },
  })
  return { userId: user.id, userKey: key }
}
