// Live updates: one stream for the workspace. A note names a topic and a bot; queries with a key
// that begins with both are refetched if they are shown.
//
// Hidden tabs have no stream, because over HTTP/1.1 a browser opens only six connections to a server
// for all of its tabs. They resume when they are shown again. For notifications, one of the hidden
// tabs has a stream, and sends its notes to the others.
import { RequestError, readEvents } from '@botstead/client'
import type { ChangeNote } from '@botstead/contract'
import { Box } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useNotificationsWanted } from '../shell/notices/notices.ts'
import { texts } from '../texts/texts.ts'
import { clientFor } from './client.ts'
import { sessionExpired, sessionQuery, whenSignedIn } from './session.ts'
import { isShown, useIsVisible } from './shown.ts'

const Connected = createContext(true)

let isStreaming = false
/** Whether the stream has begun: notes then tell of all later changes. */
export const hasStream = () => isStreaming

const receivers = new Set<(note: ChangeNote) => unknown>()

/** Calls `receive` with each note of the workspace. */
export function useNotes(receive: (note: ChangeNote) => void) {
  useEffect(() => {
    receivers.add(receive)
    return () => {
      receivers.delete(receive)
    }
  }, [receive])
}

/** Returns whether a note for which `isWanted` came within this time. */
export const nextNote = (isWanted: (note: ChangeNote) => boolean, withinMs: number) =>
  new Promise<boolean>((resolve) => {
    const end = (came: boolean) => {
      receivers.delete(receive)
      clearTimeout(timer)
      resolve(came)
    }
    const receive = (note: ChangeNote) => isWanted(note) && end(true)
    const timer = setTimeout(() => end(false), withinMs)
    receivers.add(receive)
  })

const refreshMs = 2_000

interface RefreshOptions {
  /** The third element of the list's key. */
  part?: string
  topic?: 'messages' | 'messageSearch'
  /** For lists that cost the server more. */
  pauseMs?: number
}

/** Refetches a list of the bot after its messages, by default at most every two seconds. */
export function useRefreshOnMessages(
  botId: string,
  list: string,
  { part = 'list', topic = 'messages', pauseMs = refreshMs }: RefreshOptions = {},
) {
  const queries = useQueryClient()
  const refresh = useThrottledCallback(
    () => void queries.invalidateQueries({ queryKey: [list, botId, part] }),
    pauseMs,
  )
  const receive = useCallback(
    (note: ChangeNote) => {
      if (note.topic === topic && note.botId === botId) refresh()
    },
    [botId, topic, refresh],
  )
  useNotes(receive)
}

export function LiveUpdates({
  workspaceId,
  isAllowed,
  children,
}: {
  workspaceId: string
  /** Whether the role may listen. */
  isAllowed: boolean
  children: ReactNode
}) {
  const queries = useQueryClient()
  const [isConnected, setConnected] = useState(true)
  const need = useNeed()
  const position = useRef(isShown() ? '' : unknownPosition)
  useEffect(() => {
    if (!isAllowed || need === 'none') return
    const ended = new AbortController()
    const { signal } = ended
    const onNote = (note: ChangeNote) => receive(queries, workspaceId, note)
    const following = {
      workspaceId,
      queries,
      signal,
      position,
      onNote,
      onState: setConnected,
    }
    void (need === 'own' ? follow(following) : followForAll(following))
    return () => ended.abort()
  }, [workspaceId, isAllowed, need, queries])
  return <Connected value={isConnected}>{children}</Connected>
}

export const useConnected = () => useContext(Connected)

export function OfflineBanner() {
  return (
    <div role="status">
      {!useConnected() && (
        <Box
          bg="var(--mantine-color-text)"
          c="var(--mantine-color-body)"
          ta="center"
          p={4}
          fz="sm"
        >
          {texts.shell.offline}
        </Box>
      )}
    </div>
  )
}

/** Returns the stream that the page needs: hidden tabs share one that shows notifications. */
function useNeed() {
  const isVisible = useIsVisible()
  const isNotifying = useNotificationsWanted()
  if (isVisible) return 'own'
  return isNotifying ? 'shared' : 'none'
}

/** With it, a stream begins with `reset`, which refetches all queries. */
const unknownPosition = 'unknown'

interface Following {
  workspaceId: string
  queries: QueryClient
  signal: AbortSignal
  /** The id of the last note. Empty before the first stream. */
  position: RefObject<string>
  onNote: (note: ChangeNote) => void
  onState: (isConnected: boolean) => void
}

const firstPauseMs = 500
const maxPauseMs = 10_000

/**
 * Waits until this tab is the first of the hidden ones. Notes of another one do not change the
 * position: some may have come before this tab was hidden.
 */
async function followForAll(following: Following) {
  const { workspaceId, signal, onNote } = following
  const name = `botstead-notes-${workspaceId}`
  const others = new BroadcastChannel(name)
  others.onmessage = ({ data }) => onNote(data)
  const onNoteForAll = (note: ChangeNote) => {
    onNote(note)
    others.postMessage(note)
  }
  await navigator.locks
    .request(name, { signal }, () => follow({ ...following, onNote: onNoteForAll }))
    .catch(() => {
      // Shown before it was the first.
    })
  others.close()
}

/** Reconnects with growing pauses, and resumes after the last note. */
async function follow({
  workspaceId,
  queries,
  signal,
  position,
  onNote,
  onState,
}: Following) {
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    try {
      const headers = position.current ? { 'last-event-id': position.current } : undefined
      position.current ||= unknownPosition
      const response = await clientFor({ workspaceId }).platform.listenToWorkspace(
        {},
        { signal, ...(headers && { headers }) },
      )
      onState(true)
      pauseMs = firstPauseMs
      for await (const { id, data } of readEvents(response)) {
        position.current = id || position.current
        if (data.startsWith('{')) onNote(JSON.parse(data))
      }
      isStreaming = false
      onState(false)
    } catch (error) {
      isStreaming = false
      if (signal.aborted) return
      const isRejected = error instanceof RequestError && error.status < 500
      onState(isRejected)
      if (isRejected) await recheckSession(queries, error)
    }
    if (signal.aborted) return
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}

/** The server ended the stream after a change of the session or the role. */
async function recheckSession(queries: QueryClient, { status }: RequestError) {
  if (status === 401) sessionExpired()
  else await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  await whenSignedIn()
}

/**
 * Refetches the queries with this key. A first load that is under way continues instead: what it
 * read may be older than the note, so it is followed by another one.
 */
function reload(queries: QueryClient, queryKey: string[]) {
  const loading = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  for (const query of loading)
    query.promise?.then(
      () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      () => {},
    )
  void queries.invalidateQueries({ queryKey })
}

/** Lists of the workspace have its id in their key; they show facts of its bots, too. */
function receive(queries: QueryClient, workspaceId: string, note: ChangeNote) {
  isStreaming = true
  if (note.topic !== 'ready') reloadFor(queries, workspaceId, note)
  for (const each of receivers) each(note)
}

function reloadFor(queries: QueryClient, workspaceId: string, note: ChangeNote) {
  if (note.topic === 'reset') void queries.invalidateQueries()
  else if (note.botId)
    for (const owner of [note.botId, workspaceId]) reload(queries, [note.topic, owner])
  // Of bots that may be hidden now, which the note does not name.
  else reload(queries, [note.topic])
  // Roles.
  if (note.topic === 'members')
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}
