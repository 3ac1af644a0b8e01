// What the emulator shows between a message and its answer: the bot works on it, or failed and gets
// it again.
import type { PendingDelivery } from '@botstead/contract'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useBot } from '../../api/scope.ts'
import { useSecondsUntil } from '../../parts/texts/clock.ts'
import { shortReason } from '../../parts/traces/failed-events.tsx'
import { texts } from '../../texts/texts.ts'
import type { Entry } from './use-chat.ts'

const t = texts.emulator

/** A delivery to the bot, or the time around it. */
type Work = 'sending' | 'answering' | PendingDelivery

/**
 * Returns the delivery that comes next in the conversation, or is in progress. Each message of the
 * user fetches it again, because live updates may come late.
 */
export function useWork(
  conversationId: string | undefined,
  entries: Entry[],
): Work | undefined {
  const { botId, client } = useBot()
  const messageId = entries.findLast(
    ({ isOwn, state }) => isOwn && state === 'stored',
  )?.id
  const { data, isLoading } = useQuery({
    queryKey: ['events', botId, 'pending', 'conversation', conversationId, messageId],
    queryFn: ({ signal }) =>
      client.platform.listPendingDeliveries(
        { query: { conversationId: conversationId!, pageSize: 1 } },
        { signal },
      ),
    enabled: conversationId !== undefined,
  })
  const last = entries.at(-1)
  if (last?.state === 'sending') return 'sending'
  if (isLoading) return last?.id === messageId && messageId ? 'answering' : undefined
  return data?.deliveries.find(({ kind }) => kind === 'event')
}

export function Waiting({ work }: { work: Work }) {
  if (typeof work === 'string') return <State>{t[work]}</State>
  const { nextAttemptAt, lastError } = work
  return (
    <>
      <State>
        {nextAttemptAt ? <NextAttempt pending={work} at={nextAttemptAt} /> : t.answering}
      </State>
      {lastError && (
        <Text size="sm" c="var(--bad)" className="foreign" lineClamp={3}>
          {shortReason(lastError)}
        </Text>
      )}
    </>
  )
}

const State = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed" role="status">
    {children}
  </Text>
)

function NextAttempt({ pending, at }: { pending: PendingDelivery; at: string }) {
  const seconds = useSecondsUntil(at)
  return t.nextAttempt(pending.attempts + 1, pending.maxAttempts, seconds)
}
