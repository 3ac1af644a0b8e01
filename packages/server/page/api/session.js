// User and conversation of a bot's chat. Stored in this browser, so that a reload continues the
// conversation. Creates new ones when the visitor writes, not when the page opens.

import { t } from '../texts.js'
import { openChatApi, Refusal } from './chat-api.js'

/**
 * `site` is the website that embeds the page; `user` and `conversationId` are its choice instead of
 * the stored ones. A key that the website chose is not stored: after the visitor signs out, the next
 * person would have it. With `user.isRequired`, a rejected key makes no anonymous user. Without
 * `mayCreate`, returns null if there is no conversation to continue.
 * @returns {Promise<{api, userId, userKey, conversationId, startOver, leave, forget} | null>}
 */
export async function openSession(
  chatUrl,
  { site = '', user, conversationId, needsUserKey = false, mayCreate = false } = {},
) {
  if (needsUserKey && !user && !mayCreate) throw new Refusal(0, t('signInFirst'))
  const chosenKey = user?.userToken ?? user?.userKey
  const place = `botstead:${chatUrl}${site && ` ${site}`}${chosenKey ? ' signed' : ''}`
  let stored = read(place)
  if (chosenKey)
    stored = { ...stored, userKey: chosenKey, ...(conversationId && { conversationId }) }
  const store = (changes) => {
    stored = { ...stored, ...changes }
    // Another page of the visitor may have stored other fields in the meantime.
    const kept = { ...read(place), ...changes }
    write(place, chosenKey ? { ...kept, userKey: undefined } : kept)
  }

  const { user: known, refusal } = await findUser(chatUrl, stored.userKey, mayCreate)
  if (user?.isRequired && refusal) throw refusal
  if (known) {
    if (known.id !== stored.userId) store({ userId: known.id, conversationId })
    else if (chosenKey && conversationId) store({ conversationId })
  } else if (!mayCreate) return null
  else {
    const { user, key: userKey } = await openChatApi(chatUrl)
      .createUser()
      .catch((error) => Promise.reject(reasonFor(error, chosenKey ? refusal : null)))
    store({ userKey, userId: user.id, conversationId: undefined })
  }
  const api = openChatApi(chatUrl, stored.userKey)
  const startOver = async () => {
    const { conversation } = await api.createConversation()
    store({ conversationId: conversation.id })
  }
  // null: the visitor has asked for a new one.
  if (stored.conversationId === undefined && chosenKey)
    store({ conversationId: await findNewest(api) })
  if (!stored.conversationId && !mayCreate) return null
  if (!stored.conversationId) await startOver()
  return {
    api,
    userKey: stored.userKey,
    userId: stored.userId,
    get conversationId() {
      return stored.conversationId
    },
    startOver,
    /** Makes the next session start a new conversation, also if the visitor has others. */
    end: () => store({ conversationId: null }),
    /** Makes the next session start a new conversation, or continue the newest of a signed-in visitor. */
    leave: () => store({ conversationId: undefined }),
    /** Makes the next session create a new user. */
    forget: () => write(place, {}),
  }
}

/** If the bot has no anonymous users, the fault of the given key is the reason, or that none was given. */
function reasonFor(error, refusal) {
  if (!(error instanceof Refusal)) return error
  return refusal ?? (error.status === 401 ? new Refusal(0, t('signInFirst')) : error)
}

/** The latest conversation of a visitor with another device. */
const findNewest = async (api) => (await api.listConversations()).conversations[0]?.id

/**
 * Returns the user, or the refusal of the key. The user of a key that the bot's owner signed is created
 * at the first use.
 */
async function findUser(chatUrl, userKey, mayCreate) {
  if (!userKey) return {}
  const api = openChatApi(chatUrl, userKey)
  const isRefusal = (error) =>
    error instanceof Refusal ? { refusal: error } : Promise.reject(error)
  const found = await api.getUser().catch(isRefusal)
  if (found.user) return found
  if (mayCreate) return api.getOrCreateUser().catch(isRefusal)
  return found.refusal.metadata.unknownUser ? {} : found
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
