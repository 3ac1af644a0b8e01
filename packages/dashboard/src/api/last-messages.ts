// Lists of handoffs show the last messages.
import type { HandoffDetails } from '@botstead/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNotes } from './live.tsx'
import { useBot } from './scope.ts'

const refreshMs = 3_000

/** Refetches the lists after messages of the listed conversations, at most every three seconds. */
export function useLastMessages(shown: HandoffDetails[] = []) {
  const { botId } = useBot()
  const queries = useQueryClient()
  const [isOutdated, setOutdated] = useState(false)
  const conversations = useRef(new Set<string>())
  conversations.current = new Set(shown.map(({ conversationId }) => conversationId))
  useNotes(
    useCallback(
      ({ topic, botId: ofBot, conversationId }) => {
        if (topic !== 'messages' || ofBot !== botId) return
        // A note of many messages names no conversation.
        if (!conversationId || conversations.current.has(conversationId))
          setOutdated(true)
      },
      [botId],
    ),
  )
  useEffect(() => {
    if (!isOutdated) return
    const timer = setTimeout(() => {
      setOutdated(false)
      void queries.invalidateQueries({ queryKey: ['handoffs', botId, 'list'] })
    }, refreshMs)
    return () => clearTimeout(timer)
  }, [isOutdated, queries, botId])
}
