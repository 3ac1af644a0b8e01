// Redelivers or discards chosen failures, or all that match, step by step. After a stop or a reload,
// the next run continues with those that are left.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { Failed } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

export interface FailureChange {
  action: 'redeliver' | 'discard'
  /** Empty for all that match. */
  ids: string[]
}

interface ChangeProps {
  change: FailureChange
  reason: string
  onClose: () => void
}

const t = texts.deliveries

const labels = {
  redeliver: {
    title: t.redeliverAll,
    chosen: t.redeliverQuestion,
    all: t.redeliverAllQuestion,
    done: t.redeliveredMany,
    button: t.redeliver,
    color: 'pine',
  },
  discard: {
    title: t.discardAll,
    chosen: t.discardQuestion,
    all: t.discardAllQuestion,
    done: t.discardedMany,
    button: t.discard,
    color: 'red.8',
  },
}

export function ChangeFailures({ change, reason, onClose }: ChangeProps) {
  const { done, isRunning, error, run } = useSteps(change, reason)
  const { title, chosen, all, button, color, ...label } = labels[change.action]
  const count = change.ids.length
  const isOver = !isRunning && done !== null && !error
  return (
    <Modal opened onClose={onClose} title={count > 0 ? button : title}>
      <Stack>
        {!isOver && <Text>{count > 0 ? chosen(count) : all}</Text>}
        {!isOver && count === 0 && (
          <Text size="sm" c="dimmed">
            {t.manyHint}
          </Text>
        )}
        {done !== null && <Text role="status">{label.done(done)}</Text>}
        {error ? <Failed error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {isRunning ? t.stop : texts.common.close}
          </Button>
          {!isOver && (
            <Button color={color} loading={isRunning} onClick={run}>
              {button}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** `done` is null before the first step. Ends with the dialog. */
function useSteps({ action, ids }: FailureChange, reason: string) {
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

  async function work() {
    const { signal } = ended.current
    const step =
      client.platform[action === 'redeliver' ? 'redeliverFailures' : 'discardFailures']
    const body = ids.length > 0 ? { ids } : { ...(reason && { reason }) }
    let page = {}
    for (let count = 0, hasMore = true; hasMore && !signal.aborted; ) {
      const result = await step({ body: { ...body, ...page } }, { signal })
      count += result.count
      setDone(count)
      page = { nextToken: result.nextToken }
      hasMore = result.nextToken !== undefined
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
        void queries.invalidateQueries({ queryKey: ['events', botId] })
      })
  }
  return { done, isRunning, error, run }
}
