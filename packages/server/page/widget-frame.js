// The chat page in a frame of a website: sends it the look and the visitor's key.
import { element } from './widget-elements.js'

/** Without query and fragment, which may contain secrets. */
const currentPage = () => location.origin + location.pathname

/**
 * `userKey` is the key of the signed-in visitor, or a function that returns it, or a promise of it; no
 * key means an anonymous visitor. A function is called again after the server rejected its key.
 * Calls `onConnected` when the chat can be used, and `onClose` when the visitor wants to hide it.
 */
export function openFrame({ origin, chat, userKey, onConnected, onClose }) {
  const src = `${origin}/webchat?chat=${encodeURIComponent(chat)}&embedded`
  const frame = element(
    'iframe',
    { src, loading: 'lazy' },
    { border: '0', display: 'block' },
  )
  const listening = new AbortController()
  let sentKey
  let configuration = {}
  let isLoaded = false

  /** Until it is loaded, the frame has the origin of the website. */
  const send = (message) =>
    isLoaded &&
    frame.contentWindow?.postMessage({ ...message, page: currentPage() }, origin)

  async function findUser() {
    try {
      sentKey = (typeof userKey === 'function' ? await userKey() : userKey) || null
    } catch (error) {
      console.error(`The chat of ${origin} has no user key: ${error.message}`)
      sentKey = 'none'
    }
    return sentKey && { userKey: sentKey, isRequired: true }
  }

  async function sendUser() {
    send({ type: 'botstead:user', user: await findUser() })
  }

  const received = {
    async 'botstead:loaded'() {
      const user = await findUser()
      isLoaded = true
      send({ type: 'botstead:init', configuration, user })
    },
    'botstead:connected': () => onConnected(),
    'botstead:close': () => onClose(),
    async 'botstead:failed'({ status, error }) {
      const rejected = status === 401 && sentKey
      const what = rejected ? 'rejects the user key' : 'cannot be opened'
      console.error(`The chat of ${origin} ${what}: ${error}`)
      if (!rejected) return
      const user = typeof userKey === 'function' && (await findUser())
      // The same key again would be rejected again.
      if (user && user.userKey !== rejected) send({ type: 'botstead:user', user })
    },
  }

  const onMessage = ({ source, origin: from, data }) => {
    if (source === null || source !== frame.contentWindow || from !== origin) return
    if (Object.hasOwn(received, data?.type)) void received[data.type](data)
  }
  addEventListener('message', onMessage, { signal: listening.signal })

  return {
    frame,
    send,
    configure: (look) => {
      configuration = JSON.parse(JSON.stringify(look))
    },
    setUserKey(key) {
      userKey = key
      void sendUser()
    },
    remove() {
      listening.abort()
      frame.remove()
    },
  }
}
