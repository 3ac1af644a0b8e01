// The messages of a conversation around a message or from the end, further pages in both
// directions, and new messages as they arrive.
import type { Output, platform } from '@botstead/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'

type Page = Output<typeof platform.conversations.getConversationTranscript>
const pageSize = 50

/** `token` continues in the direction that it names; otherwise the page around a message. */
interface Part {
  nextToken?: string
  around?: string
}

export function useTranscript(conversationId: string, around: string | undefined) {
  const { botId, client } = useBot()
  const first: Part = around ? { around } : {}
  const query = useInfiniteQuery({
    // Not a topic of the live stream: a new message is read by the token of the last page.
    queryKey: ['transcript', botId, conversationId, around ?? ''],
    queryFn: ({ pageParam, signal }) =>
      client.platform.getConversationTranscript(
        { params: { id: conversationId }, query: { ...pageParam, pageSize } },
        { signal },
      ),
    initialPageParam: first,
    getPreviousPageParam: ({ meta }) => (meta.older ? { nextToken: meta.older } : undefined),
    getNextPageParam: (_page, pages) => {
      const newer = lastToken(pages)
      return newer ? { nextToken: newer } : undefined
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A page around a message, opened again later, would lack the messages since.
    gcTime: 0,
  })
  const { data, refetch, fetchNextPage } = query
  const pages = data?.pages
  const isEmpty = pages !== undefined && lastToken(pages) === undefined
  useNotes(
    useCallback(
      (note) => {
        if (note.topic !== 'reset' && note.conversationId !== conversationId) return
        void (isEmpty ? refetch() : fetchNextPage())
      },
      [conversationId, isEmpty, refetch, fetchNextPage],
    ),
  )
  const messages = useMemo(() => pages?.flatMap((page) => page.messages), [pages])
  /** Whether the last page had messages, so that more may follow. */
  const mayHaveNewer = (pages?.at(-1)?.messages.length ?? 0) > 0
  return { query, messages, mayHaveNewer }
}

const lastToken = (pages: Page[]) => pages.findLast(({ meta }) => meta.newer)?.meta.newer
