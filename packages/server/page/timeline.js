// The messages on the screen, in the order of the server, then pending messages. The server's
// response or its signal on the stream, whichever comes first, replaces a pending message, which
// has an id of this page.
import { openAnswers } from './answers.js'
import { element, webAddress } from './dom.js'
import { createRating } from './feedback.js'
import { toView } from './message-view.js'
import { language, t } from './texts.js'

/**
 * `rate(messageId, feedback)` stores the user's opinion, null removes it. `send(payload)` is for
 * buttons in messages; `retry(clientId)` and `drop(clientId)` are for unsent messages.
 */
export class Timeline {
  #log
  #actions
  #botId
  #botName
  #entries = []
  #pending = new Map()
  /** People who answer in place of the bot, by user id. */
  #senders = new Map()
  /** Messages that the bot is writing, by stream id. */
  #streams = new Map()
  #answers = openAnswers()
  /** Whether a person answers, or should. */
  isHandedOver = false
  /** Time of the last message that a person has read. */
  #readUntil = ''

  constructor(log, { botId, botName, ...actions }) {
    this.#log = log
    this.#botId = botId
    this.#botName = botName
    this.#actions = actions
  }

  has(id) {
    return this.#entries.some((entry) => entry.id === id)
  }

  rowOf(id) {
    return this.#entries.find((entry) => entry.id === id)?.row
  }

  get isEmpty() {
    return this.#entries.length + this.#pending.size + this.#streams.size === 0
  }

  /** Whether the last stored message is the user's, or one of the user's is being sent to the bot. */
  get awaitsAnswer() {
    return (
      !this.isWithPerson &&
      (this.#entries.at(-1)?.own === true ||
        [...this.#pending.values()].some(({ state }) => state === 'sending'))
    )
  }

  /** Whether a person answers, has read the user's last message, or has written the last answer. */
  get isWithPerson() {
    if (this.isHandedOver) return true
    const last = this.#entries.at(-1)
    if (last?.own && last.createdAt <= this.#readUntil) return true
    return this.hasPersonWritten
  }

  /** Whether the last message of the other side is that of a person. */
  get hasPersonWritten() {
    const { sender = this.#botId } =
      this.#entries.findLast(({ own, row }) => !own && row.dataset.sender)?.row.dataset ??
      {}
    return sender !== this.#botId
  }

  get isGrowing() {
    return this.#streams.size > 0
  }

  /**
   * Adds text to a message that the bot is writing. A message with a missing part disappears until
   * it is complete.
   */
  grow({ streamId, sequence, delta }) {
    if (sequence === 0) this.#openStream(streamId)
    const stream = this.#streams.get(streamId)
    if (!stream) return
    if (stream.next !== sequence) return this.removeStream(streamId)
    stream.next++
    stream.text += delta
    const bubble = stream.row.querySelector('.bubble')
    const view = toView({ type: 'text', text: stream.text }, { own: false })
    bubble.replaceChildren(bubble.firstChild, view)
  }

  /** Screen readers read the complete message only. */
  #openStream(streamId) {
    this.removeStream(streamId)
    const row = this.#draw({ type: 'text', text: '…' }, false)
    row.classList.add('growing')
    row.setAttribute('aria-hidden', 'true')
    this.#streams.set(streamId, { row, next: 0, text: '' })
    this.#log.append(row)
  }

  removeStream(streamId) {
    this.#streams.get(streamId)?.row.remove()
    this.#streams.delete(streamId)
  }

  removeStreams() {
    for (const streamId of [...this.#streams.keys()]) this.removeStream(streamId)
  }

  /** Notes that the answer was stopped. */
  addStop({ id, createdAt }) {
    if (this.has(id)) return
    const row = element('p', { class: 'stopped' }, t('answerStopped'))
    this.#insert({ id, createdAt, own: false, row })
  }

  /** Notes that a person has returned the conversation to the bot. */
  addReturn(createdAt) {
    const id = `returned ${createdAt}`
    if (this.isEmpty || this.has(id)) return
    const row = element('p', { class: 'stopped', hidden: '' }, t('answersAgain'))
    row.dataset.sender = this.#botId
    this.#insert({ id, createdAt, own: false, row, isReturn: true })
  }

  add(message, own, { arriving = false } = {}) {
    if (!own) this.removeStream(message.metadata?.streamId)
    if (this.has(message.id)) return this.change(message)
    const clientId = own && message.metadata?.clientMessageId
    if (clientId && this.#pending.has(clientId)) return this.#settle(clientId, message)
    const row = this.#draw(message.payload, own)
    row.classList.add('sent')
    row.dataset.sender = message.userId
    const sender = this.#senders.get(message.userId)
    if (sender) nameSender(row, sender)
    if (arriving) row.classList.add('arriving')
    this.#insert({
      id: message.id,
      createdAt: message.createdAt,
      own,
      row,
      payload: message.payload,
    })
    if (message.metadata?.edited) markEdited(row)
    if (message.userId === this.#botId && message.metadata?.feedback !== false)
      this.showRating(message.id, {})
  }

  /** Shows a changed payload. */
  change({ id, payload, metadata }) {
    const entry = this.#entries.find((one) => one.id === id)
    const bubble = entry?.row.querySelector('.bubble')
    if (!bubble || isSame(entry.payload, payload)) return
    entry.payload = payload
    const view = toView(payload, { own: entry.own, send: this.#actions.send })
    bubble.replaceChildren(bubble.firstChild, view)
    this.#answers.show(this.#entries, entry)
    if (metadata?.edited) markEdited(entry.row)
  }

  /** Shows name and picture above the messages of a person. */
  showSender(sender) {
    if (!sender.name) return
    this.#senders.set(sender.id, sender)
    for (const { row } of this.#entries)
      if (row.dataset.sender === sender.id) nameSender(row, sender)
    this.#showTurns()
  }

  /** Shows below the user's last message that was read that it was. */
  showRead(until = '') {
    if (until < this.#readUntil) return
    this.#readUntil = until
    const last = this.#entries.findLast(({ own, createdAt }) => own && createdAt <= until)
    this.#log.querySelector('.receipt')?.remove()
    last?.row
      .querySelector('.note')
      ?.append(element('span', { class: 'receipt' }, t('read')))
  }

  /** Adds the thumbs, or shows the user's earlier opinion. */
  showRating(id, feedback) {
    const row = this.#entries.find((entry) => entry.id === id)?.row
    const rating = createRating(feedback, (changed) => this.#actions.rate(id, changed))
    row?.querySelector('.rating')?.remove()
    row?.querySelector('.note')?.append(rating)
  }

  addPending(clientId, payload, onDropped) {
    const row = this.#draw(payload, true)
    row.classList.add('sending', 'arriving')
    this.#pending.set(clientId, { row, state: 'sending', onDropped })
    this.#log.append(row)
  }

  /** `sending`, `waiting` for the connection, or `failed` (rejected by the server). */
  showState(clientId, state, text) {
    const item = this.#pending.get(clientId)
    if (!item) return
    const { retry, drop } = this.#actions
    item.state = state
    item.row.className = `message own ${state}`
    const buttons = []
    if (state === 'failed') buttons.push(quietButton(t('retry'), () => retry(clientId)))
    if (state !== 'sending') buttons.push(quietButton(t('discard'), () => drop(clientId)))
    showNote(item.row, element('span', {}, text), ...buttons)
  }

  remove(id) {
    const row = this.rowOf(id)
    if (row) showTurn(row, null)
    row?.remove()
    this.#entries = this.#entries.filter((entry) => entry.id !== id)
    this.#showTurns()
  }

  removePending(clientId) {
    const { row, onDropped } = this.#pending.get(clientId) ?? {}
    row?.remove()
    onDropped?.()
    this.#pending.delete(clientId)
  }

  clear() {
    this.#entries = []
    this.#readUntil = ''
    this.isHandedOver = false
    this.#answers = openAnswers()
    this.#pending.clear()
    this.#streams.clear()
    this.#log.replaceChildren()
  }

  #draw(payload, own) {
    const speaker = element(
      'span',
      { class: 'aside' },
      `${own ? t('you') : this.#botName}: `,
    )
    const view = toView(payload, { own, send: this.#actions.send })
    return element(
      'div',
      { class: `message ${own ? 'own' : 'theirs'}` },
      element('div', { class: 'bubble' }, speaker, view),
      element('div', { class: 'note' }),
    )
  }

  /** Inserts by time; searches from the end, where most messages belong. */
  #insert(entry) {
    let index = this.#entries.length
    while (index > 0 && this.#entries[index - 1].createdAt > entry.createdAt) index--
    const [firstPending] = [...this.#streams.values(), ...this.#pending.values()]
    const next = this.#entries[index]?.row ?? firstPending?.row ?? null
    this.#entries.splice(index, 0, entry)
    this.#answers.show(this.#entries, entry)
    this.#log.insertBefore(entry.row, next)
    showNote(entry.row, toTime(entry.createdAt))
    this.#showTurns()
  }

  /** Shows where a person begins to answer in place of the bot, and where the bot answers again. */
  #showTurns() {
    if (this.#senders.size === 0) return
    let before = this.#botId
    for (const { own, row, isReturn } of this.#entries) {
      const { sender } = row.dataset
      if (own || !sender) continue
      if (isReturn) {
        row.hidden = before === this.#botId
        before = sender
        continue
      }
      const { name } =
        sender === this.#botId
          ? { name: this.#botName }
          : (this.#senders.get(sender) ?? {})
      const key = sender === this.#botId ? 'answersAgain' : 'joined'
      showTurn(row, sender === before || !name ? null : t(key, { name }))
      before = sender
    }
  }

  #settle(clientId, { id, createdAt, payload }) {
    const row = this.#pending.get(clientId)?.row
    this.#pending.delete(clientId)
    row.className = 'message own sent'
    this.#insert({ id, createdAt, own: true, row, payload })
  }
}

function markEdited(row) {
  if (row.querySelector('.edited')) return
  row.querySelector('.note')?.append(element('span', { class: 'edited' }, t('edited')))
}

/** Shows a line above the message; null removes it. Screen readers read changed lines only. */
function showTurn(row, text) {
  const shown = row.previousElementSibling
  const isTurn = shown?.classList.contains('turn')
  if (isTurn && shown.textContent === text) return
  if (isTurn) shown.remove()
  if (text) row.before(element('p', { class: 'stopped turn' }, text))
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

function nameSender(row, { name, pictureUrl }) {
  const src = webAddress(pictureUrl)
  const picture = src && element('img', { src, alt: '', referrerpolicy: 'no-referrer' })
  const line = element(
    'div',
    { class: 'sender', dir: 'auto', 'aria-hidden': 'true' },
    picture,
    name,
  )
  row.querySelector('.aside').textContent = `${name}: `
  row.prepend(line)
}

const showNote = (row, ...content) =>
  row.querySelector('.note')?.replaceChildren(...content)

const quietButton = (label, click) =>
  element('button', { type: 'button', class: 'quiet', click }, label)

const time = { hour: '2-digit', minute: '2-digit' }
const day = { day: 'numeric', month: 'short', ...time }

function toTime(createdAt) {
  const date = new Date(createdAt)
  const today = date.toDateString() === new Date().toDateString()
  const text = date.toLocaleString(language, today ? time : day)
  return element('time', { datetime: createdAt }, text)
}
