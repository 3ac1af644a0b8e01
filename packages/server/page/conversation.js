// One conversation on the page: loads the first page of messages, sends and receives messages, and
// after a lost connection fetches the messages that it missed.
import { listen } from './listener.js'
import { openOutbox } from './outbox.js'
import { openTimeline } from './timeline.js'

const TYPING_TIMEOUT = 30_000
const OFFLINE = 'The server does not respond. Your messages are sent when the connection is back.'

/** Calls `onRefused` when the server rejects the user key or no longer has the conversation. */
export function openConversation({ page, chatUrl, session, botName, onRefused }) {
  const { api, userId, userKey, conversationId } = session
  let closed = false
  let loaded = false
  let online = false
  let earlierToken
  let typingTimer

  const timeline = openTimeline(page.log, {
    botName,
    send,
    retry: (clientId) => outbox.retry(clientId),
    drop,
  })
  const outbox = openOutbox({
    deliver: async ({ clientId, payload }) => {
      timeline.showState(clientId, 'sending', 'Sending…')
      return (
        await api.createMessage(
          { conversationId, payload, metadata: { clientMessageId: clientId } },
          clientId,
        )
      ).message
    },
    onSent: (message) => show([message]),
    onWaiting: ({ clientId }) => timeline.showState(clientId, 'waiting', 'Not sent yet, retrying…'),
    onRefused: ({ clientId }, reason) => {
      timeline.showState(clientId, 'failed', `Not sent: ${reason}`)
      settle()
    },
  })
  const listener = listen({
    url: `${chatUrl}/conversations/${encodeURIComponent(conversationId)}/listen`,
    userKey,
    onState(state) {
      online = state === 'online'
      settle()
      page.showState(state)
      page.showTrouble(state === 'offline' ? OFFLINE : null)
    },
    onOpen() {
      outbox.hurry()
      // After a temporary error, the next opening of the stream repeats this.
      catchUp().catch((error) => [401, 403, 404].includes(error.status) && refuse(error))
    },
    onSignal: receive,
    onRefused: refuse,
  })

  /** Calls `onRefused` once, although the server may reject both the stream and the list. */
  function refuse(error) {
    if (!closed) onRefused(error)
  }

  function receive({ type, data }) {
    if (type === 'message_created') show([data], { arriving: true })
    if (type === 'message_deleted') {
      timeline.remove(data.id)
      settle()
    }
  }

  function show(messages, { arriving = false, keepPlace = false } = {}) {
    if (closed) return
    page.scroller.around({ keepPlace }, () => {
      for (const message of messages) {
        const own = message.userId === userId
        timeline.add(message, own, { arriving })
        if (own) outbox.settled(message.metadata?.clientMessageId)
      }
      settle()
    })
  }

  function send(payload) {
    const clientId = newId()
    page.scroller.around({ toEnd: true }, () => {
      timeline.addPending(clientId, payload)
      settle()
    })
    outbox.add({ clientId, payload })
  }

  function drop(clientId) {
    outbox.drop(clientId)
    timeline.removePending(clientId)
    settle()
  }

  /** Shows the typing indicator while the bot's answer is due, for 30 seconds at most. */
  function settle() {
    page.showEmpty(loaded && timeline.isEmpty)
    clearTimeout(typingTimer)
    const due = loaded && online && timeline.awaitsAnswer
    page.showTyping(due)
    if (due) typingTimer = setTimeout(() => page.showTyping(false), TYPING_TIMEOUT)
  }

  /** Loads the newest page, and after a reconnect the pages before it up to a known message. */
  async function catchUp() {
    for (let token, more = true; more; ) {
      const { messages, meta } = await api.listMessages(conversationId, token)
      if (closed) return
      const hasKnown = messages.some(({ id }) => timeline.has(id))
      silently(!loaded, () => show(messages))
      if (!loaded) earlierToken = meta.nextToken
      token = meta.nextToken
      more = loaded && !hasKnown && Boolean(token)
      loaded = true
    }
    page.showEarlier(Boolean(earlierToken))
    settle()
  }

  async function showEarlier() {
    const answer = await api.listMessages(conversationId, earlierToken).catch(() => null)
    if (!answer || closed) return
    earlierToken = answer.meta.nextToken
    silently(true, () => show(answer.messages, { keepPlace: true }))
    page.showEarlier(Boolean(earlierToken))
  }

  /** Keeps screen readers from reading older messages aloud. */
  function silently(when, change) {
    if (when) page.log.setAttribute('aria-live', 'off')
    change()
    setTimeout(() => page.log.setAttribute('aria-live', 'polite'))
  }

  settle()
  return {
    send,
    showEarlier,
    tryNow() {
      listener.tryNow()
      outbox.hurry()
    },
    close() {
      closed = true
      clearTimeout(typingTimer)
      listener.close()
      outbox.clear()
      timeline.clear()
      page.showEarlier(false)
    },
  }
}

/** crypto.randomUUID exists on secure origins only; a server without TLS is not one. */
const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
