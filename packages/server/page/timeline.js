// The messages on the screen, in the order in which the server wrote them; those not yet there come last. A message is known by its id, a pending
// one by the id that this page gave it: whichever comes first, the answer to the call or the echo on the stream, settles it.
import { element } from './dom.js'
import { viewOf } from './message-view.js'

/** `say(payload)` is for buttons in messages, `retry(clientId)` and `drop(clientId)` for messages that did not get through. */
export function openTimeline(log, { botName, say, retry, drop }) {
  let entries = []
  const pending = new Map()

  function draw(payload, own) {
    const speaker = element('span', { class: 'aside' }, own ? 'You: ' : `${botName}: `)
    return element(
      'div',
      { class: `message ${own ? 'own' : 'theirs'}` },
      element('div', { class: 'bubble' }, speaker, viewOf(payload, { own, say })),
      element('div', { class: 'note' }),
    )
  }

  const note = (row, ...content) => row.querySelector('.note').replaceChildren(...content)

  /** Mostly at the end, so it looks from there. */
  function place(entry) {
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
    place({ id: message.id, createdAt: message.createdAt, own: true, row })
  }

  return {
    has: (id) => entries.some((entry) => entry.id === id),
    get isEmpty() {
      return entries.length + pending.size === 0
    },
    /** Whether the last word that got through, or is about to, is the user's. */
    get awaitsAnswer() {
      return entries.at(-1)?.own === true || [...pending.values()].some(({ state }) => state === 'sending')
    },
    add(message, own, { arriving = false } = {}) {
      if (entries.some((entry) => entry.id === message.id)) return
      const clientId = own && message.metadata?.clientMessageId
      if (clientId && pending.has(clientId)) return settle(clientId, message)
      const row = draw(message.payload, own)
      row.classList.add('sent')
      if (arriving) row.classList.add('arriving')
      place({ id: message.id, createdAt: message.createdAt, own, row })
    },
    addPending(clientId, payload) {
      const row = draw(payload, true)
      row.classList.add('sending', 'arriving')
      pending.set(clientId, { row, state: 'sending' })
      log.append(row)
    },
    /** `sending`, `waiting` for the connection, or `failed` for good. */
    showState(clientId, state, text) {
      const item = pending.get(clientId)
      if (!item) return
      item.state = state
      item.row.className = `message own ${state}`
      const again =
        state === 'failed' &&
        element('button', { type: 'button', class: 'quiet', click: () => retry(clientId) }, 'Try again')
      const away =
        state !== 'sending' &&
        element('button', { type: 'button', class: 'quiet', click: () => drop(clientId) }, 'Discard')
      note(item.row, ...[element('span', {}, text), again, away].filter(Boolean))
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
