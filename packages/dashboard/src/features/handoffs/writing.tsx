// Shows that the user of a conversation writes.
import { Text } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { useNotes } from '../../api/live.tsx'
import { texts } from '../../texts/texts.ts'

/** The chat page repeats the signal every ten seconds while the user writes. */
const shownMs = 12_000

export function Writing({ conversationId }: { conversationId: string }) {
  const [since, setSince] = useState(0)
  useNotes(
    useCallback(
      (note) => {
        if (note.conversationId !== conversationId) return
        if (note.topic === 'typing') setSince(Date.now())
        // The message has arrived.
        else if (note.topic === 'messages') setSince(0)
      },
      [conversationId],
    ),
  )
  useEffect(() => {
    if (since === 0) return
    const timer = setTimeout(() => setSince(0), shownMs)
    return () => clearTimeout(timer)
  }, [since])
  if (since === 0) return null
  return (
    <Text size="xs" c="dimmed" role="status">
      {texts.inbox.writes}
    </Text>
  )
}
