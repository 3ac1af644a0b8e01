// Who talks, and in which conversation. Kept in this browser per bot, so that a reload goes on where it was; made anew when the server no longer knows it.
import { openChatApi, Refusal } from './chat-api.js'

/** @returns {Promise<{api, userId, userKey, conversationId, startOver, leave, forget}>} */
export async function openSession(chatUrl) {
  const place = `botstead:${chatUrl}`
  let kept = read(place)
  const keep = (changes) => {
    kept = { ...kept, ...changes }
    write(place, kept)
  }

  if (!kept.userKey || !(await isKnown(chatUrl, kept.userKey))) {
    const { user, key } = await openChatApi(chatUrl).createUser()
    keep({ userKey: key, userId: user.id, conversationId: undefined })
  }
  const api = openChatApi(chatUrl, kept.userKey)
  const startOver = async () => {
    const { conversation } = await api.createConversation()
    keep({ conversationId: conversation.id })
  }
  if (!kept.conversationId) await startOver()
  return {
    api,
    userKey: kept.userKey,
    userId: kept.userId,
    get conversationId() {
      return kept.conversationId
    },
    startOver,
    /** The next session has another conversation. */
    leave: () => keep({ conversationId: undefined }),
    /** The next session is somebody else's. */
    forget: () => write(place, {}),
  }
}

async function isKnown(chatUrl, userKey) {
  try {
    await openChatApi(chatUrl, userKey).getUser()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

// Where the browser stores nothing for this page, a conversation lasts as long as the page.
function read(place) {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {}
  } catch {
    return {}
  }
}

function write(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value))
  } catch {}
}
