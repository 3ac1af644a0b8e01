// Refetches rows that others have changed: by the API, by a job, or in another browser.
import type { ChangeNote } from '@botstead/contract'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'

interface LiveRows {
  /** Without it, rows of all tables of the bot. */
  tableId?: string
  refresh: () => Promise<unknown>
  /** Whether the rows must stay in place for now. */
  isBusy?: () => boolean
}

/** An import changes rows all the time, so the next refresh waits. */
const paceMs = 2_000
/** A refresh that takes long is repeated less often: the pause is so many times its duration. */
const pauseFactor = 4
const busyMs = 500

export function useLiveRows(options: LiveRows) {
  const { botId } = useBot()
  const latest = useRef(options)
  latest.current = options
  const refresher = useRef<ReturnType<typeof createRefresher>>(null)
  useEffect(() => {
    refresher.current = createRefresher(latest)
    return () => refresher.current?.end()
  }, [])
  const receive = useCallback(
    ({ topic, botId: of, id }: ChangeNote) => {
      if (topic !== 'tableRows' || of !== botId) return
      const { tableId } = latest.current
      if (!id || !tableId || id === tableId) void refresher.current?.note()
    },
    [botId],
  )
  useNotes(receive)
}

function createRefresher(latest: RefObject<LiveRows>) {
  let isPending = false
  let isRunning = false
  let isEnded = false
  const refresh = async () => {
    while (latest.current.isBusy?.()) await pause(busyMs)
    if (isEnded) return
    isPending = false
    const begunAt = performance.now()
    await latest.current.refresh()
    await pause(Math.max(paceMs, pauseFactor * (performance.now() - begunAt)))
  }
  return {
    async note() {
      isPending = true
      if (isRunning) return
      isRunning = true
      while (isPending && !isEnded) await refresh()
      isRunning = false
    },
    end() {
      isEnded = true
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
