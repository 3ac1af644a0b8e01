// Messages on their way out, one after another so that they arrive in the order in which they were written. One that got no answer stays first in line and is
// tried again, under the same key, so that the server writes it once; one that was refused steps aside and says why.
import { Refusal } from './chat-api.js'
import { openPauses } from './retry.js'

/** `deliver(item)` makes the call; the others tell what became of an item `{clientId, payload}`. */
export function openOutbox({ deliver, onSent, onWaiting, onRefused }) {
  const pauses = openPauses()
  const refused = new Map()
  let line = []
  let running = false

  async function run() {
    if (running) return
    running = true
    while (line.length > 0) {
      const item = line[0]
      try {
        const message = await deliver(item)
        pauses.reset()
        leave(item)
        onSent(message)
      } catch (error) {
        if (error instanceof Refusal) {
          if (leave(item)) refused.set(item.clientId, item)
          onRefused(item, error.message)
        } else if (line.includes(item)) {
          onWaiting(item)
          await pauses.next()
        }
      }
    }
    running = false
  }

  function leave(item) {
    const there = line.includes(item)
    line = line.filter((other) => other !== item)
    return there
  }

  return {
    add(item) {
      line.push(item)
      run()
    },
    /** The echo on the stream may come before the answer to the call, or instead of it. */
    settled(clientId) {
      line = line.filter((item) => item.clientId !== clientId)
      pauses.now()
    },
    retry(clientId) {
      const item = refused.get(clientId)
      refused.delete(clientId)
      if (item) line.push(item)
      pauses.now()
      run()
    },
    drop(clientId) {
      refused.delete(clientId)
      line = line.filter((item) => item.clientId !== clientId)
      pauses.now()
    },
    /** The connection is back: no need to wait on. */
    hurry: () => pauses.now(),
    clear() {
      line = []
      refused.clear()
      pauses.now()
    },
  }
}
