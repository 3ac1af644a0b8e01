// The messages of a conversation around a message or from the end, further pages in both
// directions, and new, changed and deleted messages as notes of the live stream arrive.

import { RequestError } from '@botstead/client'
import type { Output, platform } from '@botstead/contract'
import { useThrottledCallback } from '@mantine/hooks'
import {
  type InfiniteData,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { hasStream, useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { type Details, hasDetails, storeDetails } from './transcript-details.ts'

type Transcript = Output<typeof platform.conversations.getConversationTranscript>
interface Page extends Omit<Transcript, 'details'> {
  /** Whether notes tell of the messages after it. */
  isFollowed: boolean
}
const pageSize = 50
/** Pages up to which all are read again, at most once in this time, after notes of no message. */
const maxReread = 4
const rereadMs = 3_000
const settleMs = 50

/** `token` continues in the direction that it names; otherwise the page around a message. */
interface Part {
  nextToken?: string
  around?: string
}

export function useTranscript(conversationId: string, around: string | undefined) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const first: Part = around ? { around } : {}
  const queryKey = ['transcript', botId, conversationId, around ?? '']
  const query = useInfiniteQuery({
    // Not a topic of the live stream: a new message is read by the token of the last page.
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const isOpening = !hasDetails(queries, botId, conversationId)
      const isFollowed = hasStream()
      let found: Details | undefined
      try {
        const { details, ...page } = await client.platform.getConversationTranscript(
          {
            params: { id: conversationId },
            query: { ...pageParam, pageSize, ...(isOpening && { details: true }) },
          },
          { signal },
        )
        found = details
        return { ...page, isFollowed }
      } finally {
        if (isOpening && !signal.aborted)
          storeDetails(queries, botId, conversationId, found)
      }
    },
    initialPageParam: first,
    getPreviousPageParam: ({ meta }) =>
      meta.older ? { nextToken: meta.older } : undefined,
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
  const readNewer = () => void (isEmpty ? refetch() : fetchNextPage())
  const reread = useThrottledCallback(
    () => ((pages?.length ?? 0) > maxReread ? readNewer() : void refetch()),
    rereadMs,
  )
  const replace = useReplacement(queryKey)
  const has = (id: string) =>
    pages?.some((page) => page.messages.some((row) => row.message.id === id))
  const latest = useRef({ readNewer, reread, replace, has })
  latest.current = { readNewer, reread, replace, has }
  useNotes(
    useCallback(
      (note) => {
        const { readNewer, reread, replace, has } = latest.current
        if (note.topic === 'reset') return readNewer()
        if (note.topic !== 'messages' || note.botId !== botId) return
        if (note.conversationId)
          return note.conversationId === conversationId && readNewer()
        if (!note.id) reread()
        else if (has(note.id)) void replace(note.id)
      },
      [botId, conversationId],
    ),
  )
  const messages = useMemo(() => pages?.flatMap((page) => page.messages), [pages])
  /** The page from the end is the last one, if notes follow. After others, more come until one is empty. */
  const isLast = pages?.length === 1 && around === undefined && pages[0]!.isFollowed
  const mayHaveNewer = !isLast && (pages?.at(-1)?.messages.length ?? 0) > 0
  return { query, messages, mayHaveNewer }
}

/** Returns a function that reads a message again, and removes it from the pages if it was deleted. */
function useReplacement(queryKey: string[]) {
  const { client } = useBot()
  const queries = useQueryClient()
  return async (id: string) => {
    const found = await client.runtime.getMessage({ params: { id } }).catch((error) => {
      return error instanceof RequestError && error.status === 404 ? null : undefined
    })
    if (found === undefined) return
    // A page that is being read ends with the pages as they were when it began.
    while (queries.isFetching({ queryKey, exact: true }) > 0)
      await new Promise((resolve) => setTimeout(resolve, settleMs))
    const change = (page: Page): Page => ({
      ...page,
      messages: page.messages.flatMap((row) => {
        if (row.message.id !== id) return [row]
        return found ? [{ ...row, message: found.message }] : []
      }),
    })
    queries.setQueryData<InfiniteData<Page>>(
      queryKey,
      (data) => data && { ...data, pages: data.pages.map(change) },
    )
  }
}

const lastToken = (pages: Page[]) => pages.findLast(({ meta }) => meta.newer)?.meta.newer
