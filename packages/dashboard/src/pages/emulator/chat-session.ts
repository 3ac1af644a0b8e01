// The emulator's person and conversation in the chat of a bot. They stay in this browser, so that a
// reload or another tab continues the conversation.
import type { Client } from '@botstead/client'

export interface ChatSession {
  userId: string
  userKey: string
  conversationId: string
}

const nameOf = (webhookId: string) => `botstead.emulator.${webhookId}`

function stored(webhookId: string): ChatSession | null {
  try {
    return JSON.parse(localStorage.getItem(nameOf(webhookId)) ?? 'null')
  } catch {
    return null
  }
}

function store(webhookId: string, session: ChatSession) {
  try {
    localStorage.setItem(nameOf(webhookId), JSON.stringify(session))
  } catch {
    // Storage is disabled: a reload begins a new conversation.
  }
}

/** Returns the stored session if the server still accepts it, otherwise a new one. */
export async function openChatSession(client: Client, webhookId: string): Promise<ChatSession> {
  const known = stored(webhookId)
  if (!known) return startConversation(client, webhookId, null)
  const exists = await client.chat
    .getConversation(
      { params: { webhookId, id: known.conversationId } },
      { headers: { 'x-user-key': known.userKey } },
    )
    .then(() => true)
    .catch((error: { status?: number }) => {
      if (error.status === undefined || error.status >= 500) throw error
      return false
    })
  return exists ? known : startConversation(client, webhookId, null)
}

/** Begins a conversation of the given person, or of a new one. */
export async function startConversation(
  client: Client,
  webhookId: string,
  person: ChatSession | null,
): Promise<ChatSession> {
  const { userId, userKey } = person ?? (await createPerson(client, webhookId))
  const { conversation } = await client.chat.createConversation(
    { params: { webhookId }, body: {} },
    { headers: { 'x-user-key': userKey } },
  )
  const session = { userId, userKey, conversationId: conversation.id }
  store(webhookId, session)
  return session
}

async function createPerson(client: Client, webhookId: string) {
  const { user, key } = await client.chat.createUser({
    params: { webhookId },
    body: { name: 'Emulator' },
  })
  return { userId: user.id, userKey: key }
}
