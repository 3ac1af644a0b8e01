// The messages on the screen, in the order of the server, then pending messages. The server's
// response or its signal on the stream, whichever comes first, replaces a pending message, which
// has an id of this page.
import { element } from './dom.js'
import { viewOf } from './message-view.js'

/**
 * `send(payload)` is for buttons in messages; `retry(clientId)` and `drop(clientId)` are for unsent
 * messages.
 */
export function openTimeline(log, { botName, send, retry, drop }) {
  let entries = []
  const pending = new Map()

  function draw(payload, own) {
    const speaker = element('span', { class: 'aside' }, own ? 'You: ' : `${botName}: `)
    return element(
      'div',
      { class: `message ${own ? 'own' : 'theirs'}` },
      element('div', { class: 'bubble' }, speaker, viewOf(payload, { own, send })),
      element('div', { class: 'note' }),
    )
  }

  const note = (row, ...content) => row.querySelector('.note').replaceChildren(...content)

  /** Inserts by time; searches from the end, where most messages belong. */
  function insert(entry) {
    let index = entries.length
    while (index > 0 && entries[index - 1].createdAt > entry.createdAt) index--
    const next = entries[index]?.row ?? pending.values().next().value?.row ?? null
    entries.splice(index, 0, entry)
    log.insertBefore(entry.row, next)
    note(entry.row, timeOf(entry.createdAt))
  }

  function settle(clientId, message) {
    const row = pending.get(clientId)?.row
    pending.delete(clientId)
    row.className = 'message own sent'
    insert({ id: message.id, createdAt: message.createdAt, own: true, row })
  }

  return {
    has: (id) => entries.some((entry) => entry.id === id),
    get isEmpty() {
      return entries.length + pending.size === 0
    },
    /** Whether the last stored message is the user's, or one of the user's is being sent. */
    get awaitsAnswer() {
      return (
        entries.at(-1)?.own === true ||
        [...pending.values()].some(({ state }) => state === 'sending')
      )
    },
    add(message, own, { arriving = false } = {}) {
      if (entries.some((entry) => entry.id === message.id)) return
      const clientId = own && message.metadata?.clientMessageId
      if (clientId && pending.has(clientId)) return settle(clientId, message)
      const row = draw(message.payload, own)
      row.classList.add('sent')
      if (arriving) row.classList.add('arriving')
      insert({ id: message.id, createdAt: message.createdAt, own, row })
    },
    addPending(clientId, payload) {
      const row = draw(payload, true)
      row.classList.add('sending', 'arriving')
      pending.set(clientId, { row, state: 'sending' })
      log.append(row)
    },
    /** `sending`, `waiting` for the connection, or `failed` (rejected by the server). */
    showState(clientId, state, text) {
      const item = pending.get(clientId)
      if (!item) return
      item.state = state
      item.row.className = `message own ${state}`
      const retryButton =
        state === 'failed' &&
        element('button', { type: 'button', class: 'quiet', click: () => retry(clientId) }, 'Retry')
      const discardButton =
        state !== 'sending' &&
        element(
          'button',
          { type: 'button', class: 'quiet', click: () => drop(clientId) },
          'Discard',
        )
      note(item.row, ...[element('span', {}, text), retryButton, discardButton].filter(Boolean))
    },
    remove(id) {
      entries.find((entry) => entry.id === id)?.row.remove()
      entries = entries.filter((entry) => entry.id !== id)
    },
    removePending(clientId) {
      pending.get(clientId)?.row.remove()
      pending.delete(clientId)
    },
    clear() {
      entries = []
      pending.clear()
      log.replaceChildren()
    },
  }
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const calendar = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

function timeOf(createdAt) {
  const date = new Date(createdAt)
  const today = date.toDateString() === new Date().toDateString()
  return element('time', { datetime: createdAt }, (today ? clock : calendar).format(date))
}
