// Reports how far the member who answers has read, as far as the messages were on a visible page.
import type { Handoff, Message } from '@botstead/contract'
import { useThrottledCallback } from '@mantine/hooks'
import { useCallback, useEffect, useRef } from 'react'
import { useBot } from '../../api/scope.ts'

const pauseMs = 1_500

/** Returns a function to call with the last visible message of the user. */
export function useReading({ id }: Handoff, isMine: boolean): (message: Message) => void {
  const { client } = useBot()
  const shown = useRef<Message | null>(null)
  const reported = useRef('')
  const report = useThrottledCallback(() => {
    const message = shown.current
    if (!isMine || document.hidden || !message || message.createdAt <= reported.current)
      return
    const before = reported.current
    reported.current = message.createdAt
    client.platform
      .readHandoff({ params: { id }, body: { messageId: message.id } })
      .catch(() => {
        reported.current = before
      })
  }, pauseMs)
  const latest = useRef(report)
  latest.current = report
  useEffect(() => {
    const look = () => latest.current()
    if (isMine) look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isMine])
  return useCallback((message) => {
    shown.current = message
    latest.current()
  }, [])
}
