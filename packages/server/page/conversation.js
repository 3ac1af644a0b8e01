// One conversation on the page: loads the first page of messages, sends and receives messages, and
// after a lost connection fetches the messages that it missed.
import { listen } from './listener.js'
import { openOutbox } from './outbox.js'
import { Timeline } from './timeline.js'

const TYPING_TIMEOUT = 30_000
const OFFLINE = 'The server does not respond. Your messages are sent when the connection is back.'

/**
 * Calls `onRefused` when the server rejects the user key or no longer has the conversation, and
 * `onSignal` for each signal.
 */
export class Conversation {
  #page
  #session
  #onRefused
  #onSignal
  #timeline
  #outbox
  #listener
  #closed = false
  #loaded = false
  #online = false
  #earlierToken
  #typingTimer

  constructor({ page, chatUrl, session, botName, onRefused, onSignal }) {
    this.#page = page
    this.#session = session
    this.#onRefused = onRefused
    this.#onSignal = onSignal
    this.#timeline = new Timeline(page.log, {
      botName,
      send: (payload) => this.send(payload),
      retry: (clientId) => this.#outbox.retry(clientId),
      drop: (clientId) => this.#drop(clientId),
    })
    this.#outbox = this.#openOutbox()
    this.#listener = this.#listen(chatUrl)
    this.#settle()
  }

  send(payload) {
    const clientId = newId()
    this.#page.scroller.around({ toEnd: true }, () => {
      this.#timeline.addPending(clientId, payload)
      this.#settle()
    })
    this.#outbox.add({ clientId, payload })
  }

  async showEarlier() {
    const answer = await this.#listMessages(this.#earlierToken).catch(() => null)
    if (!answer || this.#closed) return
    this.#earlierToken = answer.meta.nextToken
    this.#silently(true, () => this.#show(answer.messages, { keepPlace: true }))
    this.#page.showEarlier(Boolean(this.#earlierToken))
  }

  tryNow() {
    this.#listener.tryNow()
    this.#outbox.hurry()
  }

  close() {
    this.#closed = true
    clearTimeout(this.#typingTimer)
    this.#listener.close()
    this.#outbox.clear()
    this.#timeline.clear()
    this.#page.showEarlier(false)
  }

  #openOutbox() {
    const { api, conversationId } = this.#session
    const showState = (clientId, state, text) => this.#timeline.showState(clientId, state, text)
    return openOutbox({
      async deliver({ clientId, payload }) {
        showState(clientId, 'sending', 'Sending…')
        const body = { conversationId, payload, metadata: { clientMessageId: clientId } }
        return (await api.createMessage(body, clientId)).message
      },
      onSent: (message) => this.#show([message]),
      onWaiting: ({ clientId }) => showState(clientId, 'waiting', 'Not sent yet, retrying…'),
      onRefused: ({ clientId }, reason) => {
        showState(clientId, 'failed', `Not sent: ${reason}`)
        this.#settle()
      },
    })
  }

  #listen(chatUrl) {
    const { userKey, conversationId } = this.#session
    return listen({
      url: `${chatUrl}/conversations/${encodeURIComponent(conversationId)}/listen`,
      userKey,
      onState: (state) => {
        this.#online = state === 'online'
        this.#settle()
        this.#page.showState(state)
        this.#page.showTrouble(state === 'offline' ? OFFLINE : null)
      },
      onOpen: () => {
        this.#outbox.hurry()
        // After a temporary error, the next opening of the stream repeats this.
        this.#catchUp().catch(
          (error) => [401, 403, 404].includes(error.status) && this.#refuse(error),
        )
      },
      onSignal: (signal) => this.#receive(signal),
      onRefused: (error) => this.#refuse(error),
    })
  }

  #listMessages(token) {
    const { api, conversationId } = this.#session
    return api.listMessages(conversationId, token)
  }

  /** Calls `onRefused` once, although the server may reject both the stream and the list. */
  #refuse(error) {
    if (!this.#closed) this.#onRefused(error)
  }

  #receive({ type, data }) {
    this.#onSignal({ type, data })
    if (type === 'message_created') this.#show([data], { arriving: true })
    if (type === 'typing_started') this.#page.showTyping(true)
    if (type === 'typing_stopped') this.#settle()
    if (type === 'message_deleted') {
      this.#timeline.remove(data.id)
      this.#settle()
    }
  }

  #show(messages, { arriving = false, keepPlace = false } = {}) {
    if (this.#closed) return
    this.#page.scroller.around({ keepPlace }, () => {
      for (const message of messages) {
        const own = message.userId === this.#session.userId
        this.#timeline.add(message, own, { arriving })
        if (own) this.#outbox.settled(message.metadata?.clientMessageId)
      }
      this.#settle()
    })
  }

  #drop(clientId) {
    this.#outbox.drop(clientId)
    this.#timeline.removePending(clientId)
    this.#settle()
  }

  /** Shows the typing indicator while the bot's answer is due, for 30 seconds at most. */
  #settle() {
    const page = this.#page
    page.showEmpty(this.#loaded && this.#timeline.isEmpty)
    clearTimeout(this.#typingTimer)
    const due = this.#loaded && this.#online && this.#timeline.awaitsAnswer
    page.showTyping(due)
    if (due) this.#typingTimer = setTimeout(() => page.showTyping(false), TYPING_TIMEOUT)
  }

  /** Loads the newest page, and after a reconnect the pages before it up to a known message. */
  async #catchUp() {
    for (let token, more = true; more; ) {
      const { messages, meta } = await this.#listMessages(token)
      if (this.#closed) return
      const hasKnown = messages.some(({ id }) => this.#timeline.has(id))
      this.#silently(!this.#loaded, () => this.#show(messages))
      if (!this.#loaded) this.#earlierToken = meta.nextToken
      token = meta.nextToken
      more = this.#loaded && !hasKnown && Boolean(token)
      this.#loaded = true
    }
    this.#page.showEarlier(Boolean(this.#earlierToken))
    this.#settle()
  }

  /** Keeps screen readers from reading older messages aloud. */
  #silently(when, change) {
    const { log } = this.#page
    if (when) log.setAttribute('aria-live', 'off')
    change()
    setTimeout(() => log.setAttribute('aria-live', 'polite'))
  }
}

/** crypto.randomUUID exists on secure origins only; a server without TLS is not one. */
const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
