// Stores the user's opinions. Retries after a temporary error, as the outbox does for messages.
import { Refusal } from './chat-api.js'
import { openPauses } from './retry.js'

export function openRatings(api) {
  const pauses = openPauses()
  /** The latest opinion of each message. */
  const latest = new Map()
  const store = (messageId, feedback) =>
    feedback ? api.setFeedback(messageId, feedback) : api.deleteFeedback(messageId)
  return {
    /**
     * Resolves with true when the opinion is stored, and with false if a later one replaces it; null
     * removes it. Throws Refusal.
     */
    async save(messageId, feedback) {
      const attempt = {}
      latest.set(messageId, attempt)
      while (latest.get(messageId) === attempt) {
        try {
          await store(messageId, feedback)
          pauses.reset()
          return true
        } catch (error) {
          if (error instanceof Refusal) throw error
          await pauses.next()
        }
      }
      return false
    },
    /** Retries now, because the connection is back. */
    hurry: () => pauses.now(),
    close() {
      latest.clear()
      pauses.now()
    },
  }
}
