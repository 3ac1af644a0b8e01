// The number of waiting handoffs, beside the link to the inbox.
import { Badge } from '@mantine/core'
import { useCount } from '../api/handoff-counts.ts'
import { texts } from '../texts/texts.ts'

export function WaitingCount() {
  const count = useCount('waiting', { state: 'waiting' })
  if (count === 0) return null
  return (
    <Badge size="sm" ms="auto" aria-label={texts.inbox.waitingCount(count)}>
      {count >= 1_000 ? '1,000+' : count}
    </Badge>
  )
}
