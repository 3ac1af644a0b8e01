// User and conversation of a bot's chat. Stored in this browser, so that a reload continues the
// conversation. Creates new ones if the server no longer has them.
import { openChatApi, Refusal } from './chat-api.js'

/**
 * `site` is the website that embeds the page; `user` and `conversationId` are its choice instead of
 * the stored ones.
 * @returns {Promise<{api, userId, userKey, conversationId, startOver, leave, forget}>}
 */
export async function openSession(chatUrl, { site = '', user, conversationId } = {}) {
  const key = `botstead:${chatUrl}${site && ` ${site}`}`
  let stored = read(key)
  const chosenKey = user?.userToken ?? user?.userKey
  if (chosenKey && chosenKey !== stored.userKey) stored = { userKey: chosenKey, conversationId }
  const store = (changes) => {
    stored = { ...stored, ...changes }
    write(key, stored)
  }

  const known = stored.userKey && (await findUser(chatUrl, stored.userKey))
  if (known) store({ userId: known.id })
  else {
    const { user, key: userKey } = await openChatApi(chatUrl).createUser()
    store({ userKey, userId: user.id, conversationId: undefined })
  }
  const api = openChatApi(chatUrl, stored.userKey)
  const startOver = async () => {
    const { conversation } = await api.createConversation()
    store({ conversationId: conversation.id })
  }
  if (!stored.conversationId) await startOver()
  return {
    api,
    userKey: stored.userKey,
    userId: stored.userId,
    get conversationId() {
      return stored.conversationId
    },
    startOver,
    /** Makes the next session start a new conversation. */
    leave: () => store({ conversationId: undefined }),
    /** Makes the next session create a new user. */
    forget: () => write(key, {}),
  }
}

/** Returns null if the server does not know the user. */
async function findUser(chatUrl, userKey) {
  try {
    return (await openChatApi(chatUrl, userKey).getUser()).user
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

// If the browser blocks storage, the conversation ends with the page.
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {}
  } catch {
    return {}
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The browser blocks storage: the visitor is new after a reload.
  }
}
