// Dead letters of a bot: search, one with its attempts, and all that match.

import type { DeadLetter } from '@botstead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { TextFilter } from '../../parts/filter-fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { DeadLetterDialog } from './dead-letter-dialog.tsx'
import { type ManyAction, ManyDeadLetters } from './many-dead-letters.tsx'

export function DeadLetters() {
  const [reason = ''] = useFilter('reason')
  const isEditor = useMay()('data.write')
  const [shown, setShown] = useState<string | null>(null)
  const [action, setAction] = useState<ManyAction | null>(null)
  const query = useDeadLetters(reason)
  const isEmpty = !query.data?.pages.some(({ deadLetters }) => deadLetters.length > 0)
  return (
    <>
      <Text size="sm" c="dimmed">
        {texts.deliveries.deadHint}
      </Text>
      <Group gap="xs" align="flex-end">
        <Filters names={['reason']}>
          <TextFilter name="reason" label={texts.deliveries.searchReason} />
        </Filters>
        {isEditor && (
          <>
            <Button variant="default" disabled={isEmpty} onClick={() => setAction('redeliver')}>
              {texts.deliveries.redeliverAll}
            </Button>
            <Button variant="default" disabled={isEmpty} onClick={() => setAction('discard')}>
              {texts.deliveries.discardAll}
            </Button>
          </>
        )}
      </Group>
      <RowList
        label={texts.deliveries.dead}
        query={query}
        rowsOf={rowsOf}
        keyOf={({ id }) => id}
        columns={columns}
        wrap={({ id }, cells, className) => (
          <button type="button" className={className} onClick={() => setShown(id)}>
            {cells}
          </button>
        )}
        empty={<Empty title={texts.deliveries.emptyDead} hint={texts.deliveries.emptyDeadHint} />}
      />
      {shown && <DeadLetterDialog id={shown} onClose={() => setShown(null)} />}
      {action && (
        <ManyDeadLetters action={action} reason={reason} onClose={() => setAction(null)} />
      )}
    </>
  )
}

function useDeadLetters(reason: string) {
  const { botId, client } = useBot()
  return usePages(
    ['deadLetters', botId, 'list', reason],
    (page, options) =>
      client.platform.listDeadLetters({ query: { ...(reason && { reason }), ...page } }, options),
    { keepsFormer: true },
  )
}

const rowsOf = ({ deadLetters }: { deadLetters: DeadLetter[] }) => deadLetters

const columns: Column<DeadLetter>[] = [
  {
    title: texts.deliveries.reason,
    width: 'minmax(0, 3fr)',
    cell: ({ reason, type, kind }) => (
      <>
        <Text size="sm" className="foreign one-line">
          {reason}
        </Text>
        <Text size="xs" c="dimmed" className="foreign one-line">
          {type ?? kind}
        </Text>
      </>
    ),
  },
  {
    title: texts.deliveries.attempts,
    width: '90px',
    wideOnly: true,
    cell: ({ attempts }) => attempts,
  },
  { title: texts.deliveries.died, width: '110px', cell: ({ diedAt }) => <Moment at={diedAt} /> },
]
