// Redelivers or discards all matching dead letters, step by step. After a stop or a reload,
// the next run continues with those that are left.
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { Failed, Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

export type ManyAction = 'redeliver' | 'discard'

interface ManyProps {
  action: ManyAction
  reason: string
  onClose: () => void
}

const stepSize = 500

export function ManyDeadLetters(props: ManyProps) {
  const { action, reason, onClose } = props
  const { botId, client } = useBot()
  const filter = reason ? { reason } : {}
  const query = useQuery({
    queryKey: ['many dead letters', botId, reason],
    queryFn: ({ signal }) => client.platform.countDeadLetters({ query: filter }, { signal }),
    gcTime: 0,
  })
  const { redeliverAll, discardAll } = texts.deliveries
  return (
    <Modal opened onClose={onClose} title={action === 'redeliver' ? redeliverAll : discardAll}>
      <Loaded query={query}>{({ count }) => <Run {...props} total={count} />}</Loaded>
    </Modal>
  )
}

function Run({ action, reason, onClose, total }: ManyProps & { total: number }) {
  const { done, isRunning, error, run } = useSteps(action, reason)
  const { redeliverMany, discardMany, redeliveredMany, discardedMany } = texts.deliveries
  const isOver = !isRunning && done !== null && !error
  return (
    <Stack>
      {!isOver && (
        <>
          <Text>{action === 'redeliver' ? redeliverMany(total) : discardMany(total)}</Text>
          <Text size="sm" c="dimmed">
            {texts.deliveries.manyHint}
          </Text>
        </>
      )}
      {done !== null && (
        <div role="status">
          {isOver ? (
            <Text>{action === 'redeliver' ? redeliveredMany(done) : discardedMany(done)}</Text>
          ) : (
            <>
              <Progress
                value={total ? (100 * done) / total : 100}
                aria-label={texts.deliveries.progress(done, total)}
              />
              <Text size="sm">{texts.deliveries.progress(done, total)}</Text>
            </>
          )}
        </div>
      )}
      {error ? <Failed error={error} /> : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {isRunning ? texts.deliveries.stop : texts.common.close}
        </Button>
        {!isOver && (
          <Button
            color={action === 'redeliver' ? 'pine' : 'red.8'}
            loading={isRunning}
            disabled={total === 0}
            onClick={run}
          >
            {action === 'redeliver' ? texts.deliveries.redeliver : texts.deliveries.discard}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** `done` is null before the first step. Ends with the dialog. */
function useSteps(action: ManyAction, reason: string) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const ended = useRef(new AbortController())
  useEffect(() => {
    const current = new AbortController()
    ended.current = current
    return () => current.abort()
  }, [])
  const step = action === 'redeliver' ? 'redeliverDeadLetters' : 'discardDeadLetters'

  async function work() {
    const { signal } = ended.current
    // Those that fail again die later, so they are not repeated.
    const body = {
      ...(reason && { reason }),
      beforeDate: new Date().toISOString(),
      maxCount: stepSize,
    }
    for (let count = 0, hasMore = true; hasMore && !signal.aborted; ) {
      const result = await client.platform[step]({ body }, { signal })
      count += result.count
      hasMore = result.hasMore === true
      setDone(count)
    }
  }

  function run() {
    setRunning(true)
    setError(null)
    setDone(0)
    void work()
      .catch((failure) => !ended.current.signal.aborted && setError(failure))
      .finally(() => {
        setRunning(false)
        void queries.invalidateQueries({ queryKey: ['deadLetters', botId] })
      })
  }
  return { done, isRunning, error, run }
}
