// Reports how far the user has received and read messages of people: a message is read once it was
// on the screen of a visible page. Gathers what happens within a pause into one report.

const PAUSE = 1_500

/** `send(messageId, isRead)` calls the server. A later report makes up for a failed one. */
export function openReceipts(send) {
  /** The newest message of each kind: received, and read. */
  const newest = { received: null, read: null }
  const reported = { received: '', read: '' }
  /** Messages by their rows, until they are read; and the rows on the screen. */
  const unread = new Map()
  const shown = new Set()
  let timer

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) shown.add(target)
      else shown.delete(target)
    look()
  })

  function look() {
    if (document.hidden) return
    for (const row of shown) {
      advance('read', unread.get(row))
      unread.delete(row)
      shown.delete(row)
      observer.unobserve(row)
    }
  }

  function advance(kind, message) {
    if (!message || message.createdAt <= (newest[kind]?.createdAt ?? reported[kind]))
      return
    newest[kind] = message
    timer ??= setTimeout(report, PAUSE)
  }

  function report() {
    timer = undefined
    const { received, read } = newest
    const isNewer = (kind) => newest[kind] && newest[kind].createdAt > reported[kind]
    if (isNewer('read')) tell(read, true)
    // A message that was read was received, too.
    if (isNewer('received')) tell(received, false)
  }

  function tell({ id, createdAt }, isRead) {
    const before = { ...reported }
    if (isRead) reported.read = createdAt
    if (createdAt > reported.received) reported.received = createdAt
    send(id, isRead).catch(() => Object.assign(reported, before))
  }

  document.addEventListener('visibilitychange', look)
  return {
    /** A message of a person, and its row. */
    note(message, row) {
      if (message.createdAt <= reported.read) return
      advance('received', message)
      unread.set(row, message)
      observer.observe(row)
    },
    /** What the server knows. */
    known({ deliveredUntil = '', readUntil = '' }) {
      if (deliveredUntil > reported.received) reported.received = deliveredUntil
      if (readUntil > reported.read) reported.read = readUntil
    },
    close() {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('visibilitychange', look)
    },
  }
}
