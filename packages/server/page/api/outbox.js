// Queue of outgoing messages: sends one at a time, so that they arrive in order. Retries the first
// message with the same idempotency key after a temporary error, so that the server stores it once.
// Removes a rejected message from the queue and reports the reason.
import { Refusal, toReason } from './chat-api.js'
import { openPauses } from './retry.js'

/**
 * `deliver(item)` calls the server; the other callbacks receive the outcome of an item
 * `{clientId, payload, metadata}`.
 */
export function openOutbox({ deliver, onSent, onWaiting, onRefused }) {
  const pauses = openPauses()
  const refused = new Map()
  let queue = []
  let running = false

  /** Retries or reports errors instead of rejecting. */
  async function run() {
    if (running) return
    running = true
    while (queue.length > 0) {
      const item = queue[0]
      try {
        const message = await deliver(item)
        pauses.reset()
        dequeue(item)
        onSent(message)
      } catch (error) {
        if (error instanceof Refusal) {
          if (dequeue(item)) refused.set(item.clientId, item)
          onRefused(item, toReason(error))
        } else if (queue.includes(item)) {
          onWaiting(item)
          await pauses.next()
        }
      }
    }
    running = false
  }

  function dequeue(item) {
    const wasQueued = queue.includes(item)
    queue = queue.filter((other) => other !== item)
    return wasQueued
  }

  return {
    add(item) {
      queue.push(item)
      void run()
    },
    /**
     * Removes a message that arrived on the stream, which may be before the response or instead of
     * it.
     */
    settled(clientId) {
      queue = queue.filter((item) => item.clientId !== clientId)
      pauses.now()
    },
    retry(clientId) {
      const item = refused.get(clientId)
      refused.delete(clientId)
      if (item) queue.push(item)
      pauses.now()
      void run()
    },
    drop(clientId) {
      refused.delete(clientId)
      queue = queue.filter((item) => item.clientId !== clientId)
      pauses.now()
    },
    /** Retries now, because the connection is back. */
    hurry: () => pauses.now(),
    clear() {
      queue = []
      refused.clear()
      pauses.now()
    },
  }
}
