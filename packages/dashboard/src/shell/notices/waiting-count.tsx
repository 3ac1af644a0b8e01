// The number of waiting handoffs, beside the link to the inbox.
import { Badge } from '@mantine/core'
import { useCount } from '../../api/handoff-counts.ts'
import { useBot } from '../../api/scope.ts'
import { texts } from '../../texts/texts.ts'
import { useOwnNotices } from './own-notices.ts'
import { useWaitingNotice } from './waiting-notice.ts'

export function WaitingCount() {
  const count = useCount('waiting', { state: 'waiting' })
  useWaitingNotice(useBot().botId, count)
  useOwnNotices()
  if (!count) return null
  return (
    <Badge size="sm" ms="auto" aria-label={texts.inbox.waitingCount(count)}>
      {count >= 1_000 ? '1,000+' : count}
    </Badge>
  )
}
