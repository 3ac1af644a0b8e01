// Shows users that the bot is writing, while a turn takes long.
import type { Turn } from './turn.ts'

const afterMs = 500
/** The official webchat hides the indicator after five seconds. */
const repeatMs = 4_000

/** Runs work, with a typing indicator if the document's settings say so. */
export async function whileTyping<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  const { engine, delivered } = turn
  const { conversationId, id: cause } = delivered
  if (!engine.program.document.settings?.typingIndicator || conversationId === undefined)
    return work()
  const path = `/v1/platform/conversations/${encodeURIComponent(conversationId)}/typing`
  const report = (isTyping: boolean) =>
    void engine
      .platform({ method: 'POST', path, body: { isTyping }, cause })
      .catch(() => {})
  let isVisible = false
  const show = () => {
    isVisible = true
    report(true)
    timer = setTimeout(show, repeatMs)
  }
  let timer = setTimeout(show, afterMs)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    if (isVisible) report(false)
  }
}
