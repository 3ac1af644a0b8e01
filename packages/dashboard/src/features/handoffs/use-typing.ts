// Shows the users of a conversation that a member writes an answer.
import { useRef } from 'react'
import { useBot } from '../../api/scope.ts'

/** Without a repetition, the indicator ends after this time. */
const timeout = 6_000
const repeatMs = 3_000

export function useTyping(conversationId: string) {
  const { client } = useBot()
  const shownAt = useRef(0)
  const show = (isTyping: boolean) => {
    shownAt.current = isTyping ? Date.now() : 0
    const body = isTyping ? { isTyping, timeout } : { isTyping }
    // The next key tries again.
    client.platform
      .setConversationTyping({ params: { id: conversationId }, body })
      .catch(() => {})
  }
  return {
    typed(text: string) {
      if (text === '') {
        if (shownAt.current > 0) show(false)
      } else if (Date.now() - shownAt.current > repeatMs) show(true)
    },
    /** The message ends the indicator. */
    sent() {
      shownAt.current = 0
    },
  }
}
