// Live updates: one stream for the workspace. A note names a topic and a bot; queries with a key
// that begins with both are refetched if they are shown. Hidden tabs keep the stream, so that they
// are current when they are shown again.
import { readEvents } from '@botstead/client'
import type { ChangeNote } from '@botstead/contract'
import { Box } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { clientFor } from './client.ts'

const Connected = createContext(true)
const receivers = new Set<(note: ChangeNote) => void>()

/** Calls `receive` with each note of the workspace. */
export function useNotes(receive: (note: ChangeNote) => void) {
  useEffect(() => {
    receivers.add(receive)
    return () => {
      receivers.delete(receive)
    }
  }, [receive])
}

export function LiveUpdates({
  workspaceId,
  children,
}: {
  workspaceId: string
  children: ReactNode
}) {
  const queries = useQueryClient()
  const [isConnected, setConnected] = useState(true)
  useEffect(() => {
    const ended = new AbortController()
    void follow({ workspaceId, queries, signal: ended.signal, onState: setConnected })
    return () => ended.abort()
  }, [workspaceId, queries])
  return <Connected value={isConnected}>{children}</Connected>
}

export const useConnected = () => useContext(Connected)

export function OfflineBanner() {
  return (
    <div role="status">
      {!useConnected() && (
        <Box bg="var(--mantine-color-text)" c="var(--mantine-color-body)" ta="center" p={4} fz="sm">
          {texts.shell.offline}
        </Box>
      )}
    </div>
  )
}

interface Following {
  workspaceId: string
  queries: QueryClient
  signal: AbortSignal
  onState: (isConnected: boolean) => void
}

const firstPauseMs = 500
const maxPauseMs = 10_000

/** Reconnects with growing pauses, and resumes after the last note. */
async function follow({ workspaceId, queries, signal, onState }: Following) {
  let lastEventId = ''
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = lastEventId ? { 'last-event-id': lastEventId } : {}
      const response = await clientFor({ workspaceId }).platform.listenToWorkspace(
        {},
        { signal, headers },
      )
      onState(true)
      pauseMs = firstPauseMs
      for await (const { id, data } of readEvents(response)) {
        lastEventId = id
        if (data.startsWith('{')) receive(queries, workspaceId, JSON.parse(data))
      }
    } catch {
      // Disconnected, or rejected: the requests of the page show why.
    }
    if (signal.aborted) return
    onState(false)
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}

/** Lists of the workspace have its id in their key; they show facts of its bots, too. */
function receive(queries: QueryClient, workspaceId: string, note: ChangeNote) {
  if (note.topic === 'ready') return
  if (note.topic === 'reset') void queries.invalidateQueries()
  else
    for (const owner of [note.botId, workspaceId])
      if (owner) void queries.invalidateQueries({ queryKey: [note.topic, owner] })
  for (const each of receivers) each(note)
}
