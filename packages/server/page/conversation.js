// One conversation on the page, from its first page of messages to its end: what is said here goes out, what is said there comes in, and after
// a lost connection what was missed is fetched.
import { listen } from './listener.js'
import { openOutbox } from './outbox.js'
import { openTimeline } from './timeline.js'

const WAITS_FOR_ANSWER = 30_000
const AWAY = 'The server does not answer. What you write is kept and sent when it is back.'

/** `onRefused` is called when the server will have no more of this user or this conversation. */
export function openConversation({ page, chatUrl, session, botName, onRefused }) {
  const { api, userId, userKey, conversationId } = session
  let closed = false
  let loaded = false
  let online = false
  let earlierToken
  let patience

  const timeline = openTimeline(page.log, { botName, say, retry: (clientId) => outbox.retry(clientId), drop })
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
    onWaiting: ({ clientId }) => timeline.showState(clientId, 'waiting', 'Not sent yet, trying again…'),
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
      page.showTrouble(state === 'offline' ? AWAY : null)
    },
    onOpen() {
      outbox.hurry()
      // What fails here for the moment is made good when the stream opens the next time.
      catchUp().catch((error) => [401, 403, 404].includes(error.status) && refuse(error))
    },
    onSignal: hear,
    onRefused: refuse,
  })

  /** The stream and the list may both be refused; once is enough. */
  function refuse(error) {
    if (!closed) onRefused(error)
  }

  function hear({ type, data }) {
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

  function say(payload) {
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

  /** The dots say that it is the bot's turn; a bot that stays silent does not keep them for ever. */
  function settle() {
    page.showEmpty(loaded && timeline.isEmpty)
    clearTimeout(patience)
    const due = loaded && online && timeline.awaitsAnswer
    page.showTyping(due)
    if (due) patience = setTimeout(() => page.showTyping(false), WAITS_FOR_ANSWER)
  }

  /** The newest page, and as many before it as were missed. */
  async function catchUp() {
    for (let token, more = true; more; ) {
      const { messages, meta } = await api.listMessages(conversationId, token)
      if (closed) return
      const met = messages.some(({ id }) => timeline.has(id))
      silently(!loaded, () => show(messages))
      if (!loaded) earlierToken = meta.nextToken
      token = meta.nextToken
      more = loaded && !met && Boolean(token)
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

  /** A page of the past is no news: it is not read aloud. */
  function silently(when, change) {
    if (when) page.log.setAttribute('aria-live', 'off')
    change()
    setTimeout(() => page.log.setAttribute('aria-live', 'polite'))
  }

  settle()
  return {
    say,
    showEarlier,
    tryNow() {
      listener.tryNow()
      outbox.hurry()
    },
    close() {
      closed = true
      clearTimeout(patience)
      listener.close()
      outbox.clear()
      timeline.clear()
      page.showEarlier(false)
    },
  }
}

/** randomUUID exists on secure origins only, and a server in the next room is not one. */
const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
