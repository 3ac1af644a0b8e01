// Dead letters of a bot: search, one with its attempts, and all that match.

import type { DeadLetter, Event } from '@botstead/contract'
import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { TextFilter } from '../../parts/forms/filter-fields.tsx'
import { Filters } from '../../parts/forms/filters.tsx'
import { ConversationLink } from '../../parts/objects/object-links.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { Redeliver, shortReason } from '../../parts/traces/failed-events.tsx'
import { texts } from '../../texts/texts.ts'
import { DeadLetterDialog } from './dead-letter-dialog.tsx'
import { toContent, useNewestFailed } from './failed-events.tsx'
import { type ManyAction, ManyDeadLetters } from './many-dead-letters.tsx'

export function DeadLetters() {
  const [reason = ''] = useFilter('reason')
  const isEditor = useMay()('data.write')
  const [shown, setShown] = useFilter('letter')
  const [action, setAction] = useState<ManyAction | null>(null)
  const query = useDeadLetters(reason)
  const failed = useNewestFailed().data?.events
  const columns = useMemo(() => columnsFor(failed ?? [], setShown), [failed, setShown])
  const isEmpty = !query.data?.pages.some(({ deadLetters }) => deadLetters.length > 0)
  return (
    <>
      <Text size="sm" c="dimmed">
        {texts.deliveries.deadHint}
      </Text>
      <Group gap="xs" align="flex-end">
        <Filters names={['reason']}>
          <TextFilter name="reason" label={texts.deliveries.searchReason} maxLength={500} />
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
        getRows={getRows}
        getKey={({ id }) => id}
        columns={columns}
        empty={<Empty title={texts.deliveries.emptyDead} hint={texts.deliveries.emptyDeadHint} />}
      />
      {shown && <DeadLetterDialog id={shown} onClose={() => setShown('')} />}
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

const getRows = ({ deadLetters }: { deadLetters: DeadLetter[] }) => deadLetters

/** As the list of failed events; `events` has the messages and authors of the newest ones. */
function columnsFor(events: Event[], onOpen: (id: string) => void): Column<DeadLetter>[] {
  const byId = new Map(events.map((event) => [event.id, event]))
  const contentFor = ({ eventId = '' }: DeadLetter) => {
    const event = byId.get(eventId)
    return event ? toContent(event) : {}
  }
  return [
    {
      title: texts.deliveries.reason,
      width: 'minmax(0, 3fr)',
      fullLine: true,
      cell: (letter) => (
        <>
          <UnstyledButton onClick={() => onOpen(letter.id)}>
            <Text size="sm" className="foreign" lineClamp={2} td="underline">
              {shortReason(letter.reason)}
            </Text>
          </UnstyledButton>
          <Text size="xs" c="dimmed" className="foreign one-line">
            {contentFor(letter).text ?? letter.type ?? letter.kind}
          </Text>
        </>
      ),
    },
    {
      title: texts.deliveries.conversation,
      width: 'minmax(0, 2fr)',
      cell: (letter) =>
        letter.conversationId && (
          <ConversationLink
            id={letter.conversationId}
            messageId={letter.messageId ?? byId.get(letter.eventId ?? '')?.messageId}
          >
            {contentFor(letter).name ?? texts.deliveries.conversation}
          </ConversationLink>
        ),
    },
    {
      title: texts.deliveries.attempts,
      width: '90px',
      wideOnly: true,
      cell: ({ attempts }) => attempts,
    },
    { title: texts.deliveries.died, width: '110px', cell: ({ diedAt }) => <Moment at={diedAt} /> },
    {
      title: '',
      width: '130px',
      cell: ({ eventId }) => eventId && <Redeliver event={{ id: eventId, status: 'failed' }} />,
    },
  ]
}
