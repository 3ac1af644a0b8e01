// One conversation on the page: loads the first page of messages, sends and receives messages, and
// after a lost connection fetches the messages that it missed.
import { toReason } from './api/chat-api.js'
import { listen } from './api/listener.js'
import { openOutbox } from './api/outbox.js'
import { openRatings } from './api/ratings.js'
import { openReceipts } from './api/receipts.js'
import { newId } from './ids.js'
import { t } from './texts.js'
import { Timeline } from './timeline.js'
import { openTyping } from './typing.js'

const TYPING_TIMEOUT = 30_000

/**
 * Calls `onRefused` when the server rejects the user key or no longer has the conversation, and
 * `onSignal` for each signal.
 */
export class Conversation {
  #page
  #session
  #host
  #onRefused
  #onSignal
  #timeline
  #outbox
  #ratings
  #listener
  #closed = false
  #loaded = false
  /** Whether the page knows if a person answers. */
  #isKnown = false
  #online = false
  #earlierToken
  #typingTimer
  #typing
  #receipts
  #botId
  /** The person who answers in place of the bot. */
  #assignee
  /** Ids of senders of which the name is known or requested. */
  #senders

  constructor({
    page,
    host,
    chatUrl,
    isWebchat,
    session,
    botId,
    botName,
    onRefused,
    onSignal,
  }) {
    this.#page = page
    this.#host = host
    this.#session = session
    this.#botId = botId
    this.#senders = new Set([botId, session.userId])
    this.#onRefused = onRefused
    this.#onSignal = onSignal
    this.#timeline = new Timeline(page.log, {
      botId,
      botName,
      send: (payload, onDropped) => this.send(payload, onDropped),
      rate: (messageId, feedback) => this.#rate(messageId, feedback),
      retry: (clientId) => this.#outbox.retry(clientId),
      drop: (clientId) => this.#drop(clientId),
    })
    this.#outbox = this.#openOutbox()
    this.#ratings = openRatings(session.api)
    this.#listener = this.#listen(chatUrl, isWebchat)
    const { api, conversationId } = session
    this.#typing = openTyping((isTyping) => api.setTyping(conversationId, isTyping))
    this.#receipts = openReceipts((messageId, isRead) =>
      api.setReceipt(conversationId, messageId, isRead),
    )
    this.#settle()
  }

  /** `onDropped` is called if the user discards the message. */
  send(payload, onDropped) {
    this.#typing.end()
    const clientId = newId()
    this.#page.scroller.around({ toEnd: true }, () => {
      this.#timeline.addPending(clientId, payload, onDropped)
      this.#settle()
    })
    const metadata = { clientMessageId: clientId, ...this.#visit() }
    this.#outbox.add({ clientId, payload, metadata })
  }

  /** The language of the visitor, and the page of the website. */
  #visit() {
    const page = this.#host?.page
    return { language: navigator.language, ...(page && { page }) }
  }

  /** Sends a file: first its content, then the message. */
  async attach(file) {
    const clientId = newId()
    this.#page.scroller.around({ toEnd: true }, () => {
      this.#timeline.addPending(clientId, { type: 'text', text: file.name })
      this.#timeline.showState(clientId, 'sending', t('uploading', { name: file.name }))
    })
    try {
      const url = await this.#session.api.upload(file)
      if (!this.#closed) this.send(toMessage(file, url))
    } catch (error) {
      this.#page.showTrouble(
        t('cannotAttach', { name: file.name, reason: toReason(error) }),
      )
    }
    this.#drop(clientId)
  }

  async showEarlier() {
    const answer = await this.#listMessages(this.#earlierToken).catch(() => null)
    if (!answer || this.#closed) return
    this.#earlierToken = answer.meta.nextToken
    this.#silently(true, () => this.#show(answer.messages, { keepPlace: true }))
    this.#page.showEarlier(Boolean(this.#earlierToken))
  }

  /** The user writes. */
  noteWriting(isEmpty) {
    if (isEmpty) this.#typing.end()
    else this.#typing.note()
  }

  async stopAnswer() {
    const { api, conversationId } = this.#session
    const { stopped } = await api.stopAnswer(conversationId)
    if (!stopped && !this.#closed) this.#showWaiting(false)
  }

  tryNow() {
    this.#listener.tryNow()
    this.#outbox.hurry()
    this.#ratings.hurry()
  }

  close() {
    this.#closed = true
    clearTimeout(this.#typingTimer)
    this.#typing.close()
    this.#receipts.close()
    this.#showWaiting(false)
    this.#listener.close()
    this.#outbox.clear()
    this.#ratings.close()
    this.#timeline.clear()
    this.#page.showPerson(false)
    this.#page.showEarlier(false)
  }

  #openOutbox() {
    const { api, conversationId } = this.#session
    const showState = (clientId, state, text) =>
      this.#timeline.showState(clientId, state, text)
    return openOutbox({
      async deliver({ clientId, payload, metadata }) {
        showState(clientId, 'sending', t('sending'))
        const body = { conversationId, payload, metadata }
        return (await api.createMessage(body, clientId)).message
      },
      onSent: (message) => this.#show([message]),
      onWaiting: ({ clientId }) => showState(clientId, 'waiting', t('waiting')),
      onRefused: ({ clientId }, reason) => {
        showState(clientId, 'failed', t('notSent', { reason }))
        this.#settle()
      },
    })
  }

  #listen(chatUrl, isWebchat) {
    const { userKey, conversationId } = this.#session
    const path = `/conversations/${encodeURIComponent(conversationId)}/listen`
    return listen({
      url: `${chatUrl}${path}${isWebchat ? '?live=true' : ''}`,
      userKey,
      onState: (state) => {
        this.#online = state === 'online'
        this.#settle()
        this.#page.showState(state)
        this.#page.showTrouble(state === 'offline' ? t('notReached') : null)
      },
      onOpen: () => {
        this.#outbox.hurry()
        this.#ratings.hurry()
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
    if (type.startsWith('message_stream_')) this.#showStream(type, data)
    if (type === 'event_created' && data.payload.type === 'botstead:stopped')
      this.#showStopped(data)
    const isOwn = data.userId === this.#session.userId
    const isBotBesidePerson = data.isBot && this.#timeline.isHandedOver
    if (type === 'typing_started' && !isOwn && !isBotBesidePerson)
      this.#showWaiting(true, data)
    if (type === 'typing_stopped' && !isOwn) this.#settle()
    if (type === 'message_updated')
      this.#page.scroller.around({}, () => this.#timeline.change(data))
    if (type === 'messages_read') this.#showRead(data.readUntil)
    if (type === 'handoff_opened') this.#showHandedOver(true)
    if (type === 'handoff_assigned') this.#showHandedOver(true, data.assignee)
    if (type === 'handoff_closed') {
      this.#showHandedOver(false)
      this.#showReturns([data.closedAt])
    }
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
        else this.#showSender(message)
      }
      this.#settle()
    })
  }

  /** Of a person who answers in place of the bot: shows the name, and reports the receipt. */
  #showSender(message) {
    const { id, userId } = message
    if (!userId || userId === this.#botId) return
    this.#receipts.note(message, this.#timeline.rowOf(id))
    void this.#nameSender(userId)
  }

  async #nameSender(userId) {
    if (this.#senders.has(userId)) return
    this.#senders.add(userId)
    const { api, conversationId } = this.#session
    const found = await api.getParticipant(conversationId, userId).catch(() => null)
    if (found && !this.#closed)
      this.#page.scroller.around({}, () => this.#timeline.showSender(found.participant))
  }

  /** Shows a message while the bot writes it; the stored message replaces it. */
  #showStream(type, data) {
    if (type === 'message_stream_complete') return
    this.#page.scroller.around({}, () => {
      if (type === 'message_stream_abort') this.#timeline.removeStream(data.streamId)
      else this.#timeline.grow(data)
      this.#settle()
    })
  }

  #showStopped({ id, createdAt }) {
    this.#page.scroller.around({}, () => {
      this.#timeline.removeStreams()
      this.#timeline.addStop({ id, createdAt })
      this.#settle()
    })
  }

  /** Returns whether the server stored the opinion. */
  async #rate(messageId, feedback) {
    try {
      return await this.#ratings.save(messageId, feedback)
    } catch (error) {
      this.#page.showTrouble(t('cannotRate', { reason: toReason(error) }))
      return false
    }
  }

  async #showRatings() {
    const { api, conversationId } = this.#session
    const all = await api.listFeedback(conversationId).catch(() => [])
    if (!this.#closed)
      for (const one of all) this.#timeline.showRating(one.messageId, one)
  }

  async #showReceipts() {
    const { api, conversationId } = this.#session
    const found = await api.getReceipts(conversationId).catch(() => null)
    if (!found || this.#closed) return
    this.#receipts.known(found.own)
    this.#showRead(found.person.readUntil)
    this.#showReturns(found.person.returnedAt ?? [])
    this.#showHandedOver(found.person.isHandedOver, found.person.assignee)
  }

  #showReturns(times) {
    this.#page.scroller.around({}, () => {
      for (const at of times) this.#timeline.addReturn(at)
      this.#settle()
    })
  }

  /** While a person answers, the bot writes nothing. `assignee` has taken the conversation. */
  #showHandedOver(isHandedOver, assignee) {
    this.#timeline.isHandedOver = isHandedOver
    this.#assignee = assignee
    this.#page.scroller.around({}, () => this.#settle())
  }

  #showPerson() {
    const { isHandedOver, hasPersonWritten } = this.#timeline
    const name = this.#assignee?.name
    const text = name ? t('personAnswers', { name }) : t('colleagueAnswers')
    this.#page.showPerson(isHandedOver, hasPersonWritten ? '' : text)
  }

  #showRead(until) {
    this.#timeline.showRead(until)
    this.#settle()
  }

  #drop(clientId) {
    this.#outbox.drop(clientId)
    this.#timeline.removePending(clientId)
    this.#settle()
  }

  /** Shows the typing indicator while the bot's answer is due, for 30 seconds at most. */
  #settle() {
    this.#page.showEmpty(this.#loaded && this.#timeline.isEmpty)
    this.#showPerson()
    this.#showWaiting(this.#isKnown && this.#online && this.#timeline.awaitsAnswer)
  }

  #showWaiting(on, { timeout = TYPING_TIMEOUT, isBot = true } = {}) {
    const isGrowing = this.#timeline.isGrowing
    clearTimeout(this.#typingTimer)
    this.#page.showTyping(on && !isGrowing)
    const mayStop = (on && isBot && !this.#timeline.isWithPerson) || isGrowing
    this.#page.showStop(this.#online && mayStop)
    if (on) this.#typingTimer = setTimeout(() => this.#showWaiting(false), timeout)
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
    if (!this.#timeline.isEmpty)
      await Promise.all([this.#showRatings(), this.#showReceipts()])
    this.#isKnown = true
    if (!this.#closed) this.#settle()
  }

  /** Keeps screen readers from reading older messages aloud. */
  #silently(when, change) {
    const { log } = this.#page
    if (when) log.setAttribute('aria-live', 'off')
    change()
    setTimeout(() => log.setAttribute('aria-live', 'polite'))
  }
}

/** The message type of a file. */
function toMessage({ name, type }, url) {
  const kind =
    ['image', 'audio', 'video'].find((one) => type.startsWith(`${one}/`)) ?? 'file'
  return { type: kind, [`${kind}Url`]: url, title: name }
}
