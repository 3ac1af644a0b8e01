// Everything of a bot that failed, in one list: rejected events, dead letters of events and messages,
// and deliveries that the server retries. One, chosen or all that match are redelivered or discarded.
import type { Event, Failure } from '@botstead/contract'
import { Anchor, Button, Checkbox, Group, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
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
import { Sentence } from '../../parts/texts/sentence.tsx'
import { Redeliver, shortReason } from '../../parts/traces/failed-events.tsx'
import { useTraced } from '../../parts/traces/use-trace.ts'
import { texts } from '../../texts/texts.ts'
import { ChangeFailures, type FailureChange } from './change-failures.tsx'
import { DeadLetterDialog } from './dead-letter-dialog.tsx'
import { toContent, useNewestFailed } from './failed-content.ts'

const t = texts.deliveries

/** Of one request. */
const maxChosen = 200

export function Failures() {
  const [reason = ''] = useFilter('reason')
  const [letter, setLetter] = useFilter('letter')
  const [, setTraced] = useTraced()
  const isEditor = useMay()('data.write')
  const [change, setChange] = useState<FailureChange | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const query = useFailures(reason)
  const events = useNewestFailed()
  const listed = query.data?.pages.flatMap(getRows) ?? []
  const changeable = listed.filter(({ isRetried }) => !isRetried)
  const ids = changeable.map(({ id }) => id).filter((id) => chosen.has(id))
  const columns = toColumns({
    events,
    open: openerFor(setLetter, setTraced),
    chosen: isEditor ? chosen : null,
    choose: (id) => setChosen((before) => toggled(before, id)),
  })
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.failedHint}
      </Text>
      <Group gap="xs" align="flex-end">
        <Filters names={['reason']}>
          <TextFilter name="reason" label={t.searchReason} maxLength={500} />
        </Filters>
        {isEditor && (
          <Actions ids={ids} isEmpty={changeable.length === 0} onChange={setChange} />
        )}
      </Group>
      <RowList
        label={t.failed}
        query={query}
        getRows={getRows}
        getKey={({ id }) => id}
        columns={columns}
        empty={<NothingFailed isSearch={reason !== ''} />}
      />
      {letter && <DeadLetterDialog id={letter} onClose={() => setLetter('')} />}
      {change && (
        <ChangeFailures
          change={change}
          reason={reason}
          onClose={() => {
            setChange(null)
            setChosen(new Set())
          }}
        />
      )}
    </>
  )
}

export function useFailures(reason = '') {
  const { botId, client } = useBot()
  return usePages(
    ['events', botId, 'failures', reason],
    (page, options) =>
      client.platform.listFailures(
        { query: { ...(reason && { reason }), ...page } },
        options,
      ),
    { keepsFormer: true },
  )
}

const getRows = ({ failures }: { failures: Failure[] }) => failures

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(id) && after.size < maxChosen) after.add(id)
  return after
}

/** Returns null for a message that the server retries: its conversation has the details. */
const openerFor =
  (openLetter: (id: string) => void, openTrace: (id: string) => void) =>
  ({ deadLetterId, eventId }: Failure): (() => void) | null => {
    if (deadLetterId) return () => openLetter(deadLetterId)
    return eventId ? () => openTrace(eventId) : null
  }

interface ActionsProps {
  /** Chosen ones. */
  ids: string[]
  isEmpty: boolean
  onChange: (change: FailureChange) => void
}

function Actions({ ids, isEmpty, onChange }: ActionsProps) {
  const labels =
    ids.length > 0
      ? { redeliver: t.redeliverChosen(ids.length), discard: t.discardChosen(ids.length) }
      : { redeliver: t.redeliverAll, discard: t.discardAll }
  return (['redeliver', 'discard'] as const).map((action) => (
    <Button
      key={action}
      variant="default"
      disabled={isEmpty}
      onClick={() => onChange({ action, ids })}
    >
      {labels[action]}
    </Button>
  ))
}

function NothingFailed({ isSearch }: { isSearch: boolean }) {
  const { workspaceId, botId } = useBot()
  const places = t.elsewhere.map(({ path, name, about }) => (
    <li key={path}>
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link
            {...props}
            to={`/w/$workspaceId/bots/$botId/${path}`}
            params={{ workspaceId, botId } as never}
          />
        )}
      >
        {name}
      </Anchor>
      {about}
    </li>
  ))
  return (
    <Empty
      title={isSearch ? t.emptySearch : t.emptyFailed}
      hint={
        <>
          {t.lookElsewhere}
          <ul style={{ margin: 0, textAlign: 'left' }}>{places}</ul>
        </>
      }
    />
  )
}

interface ColumnOptions {
  /** With the messages and authors of the newest ones. */
  events: ReadonlyMap<string, Event>
  open: (failure: Failure) => (() => void) | null
  /** Null for roles that may not redeliver. */
  chosen: ReadonlySet<string> | null
  choose: (id: string) => void
}

function toColumns(options: ColumnOptions): Column<Failure>[] {
  const { events } = options
  const eventIn = ({ eventId = '' }: Failure) => events.get(eventId)
  return [
    {
      title: t.reason,
      width: 'minmax(0, 3fr)',
      fullLine: true,
      cell: (failure) => (
        <Reason
          failure={failure}
          content={toContent(eventIn(failure)).text}
          {...options}
        />
      ),
    },
    {
      title: t.conversation,
      width: 'minmax(0, 2fr)',
      cell: (failure) =>
        failure.conversationId && (
          <ConversationLink id={failure.conversationId} messageId={failure.messageId}>
            {toContent(eventIn(failure)).name ?? t.conversation}
          </ConversationLink>
        ),
    },
    {
      title: t.retried,
      width: '160px',
      cell: ({ isRetried, nextAttemptAt }) => (
        <Text size="sm" component="div">
          <Text size="xs" c="dimmed" className="narrow-only">
            {t.retried}
          </Text>
          {isRetried && nextAttemptAt && (
            <Sentence text={t.isRetriedNext}>
              <Moment at={nextAttemptAt} />
            </Sentence>
          )}
          {isRetried && !nextAttemptAt && t.isRetried}
          {!isRetried && t.isNotRetried}
        </Text>
      ),
    },
    {
      title: t.died,
      width: '110px',
      wideOnly: true,
      cell: ({ failedAt }) => <Moment at={failedAt} />,
    },
    {
      title: '',
      width: '130px',
      cell: ({ eventId, isRetried }) =>
        eventId && !isRetried && <Redeliver event={{ id: eventId, status: 'failed' }} />,
    },
  ]
}

interface ReasonProps extends Pick<ColumnOptions, 'open' | 'chosen' | 'choose'> {
  failure: Failure
  content: string | undefined
}

function Reason({ failure, content, open, chosen, choose }: ReasonProps) {
  const { id, isRetried, type, kind } = failure
  const onOpen = open(failure)
  const reason = shortReason(failure.reason) || type || kind
  const text = (
    <Text
      size="sm"
      className="foreign"
      lineClamp={2}
      td={onOpen ? 'underline' : undefined}
    >
      {reason}
    </Text>
  )
  return (
    <Group gap="sm" wrap="nowrap">
      {chosen && (
        <Checkbox
          aria-label={t.choose(reason)}
          checked={chosen.has(id) && !isRetried}
          disabled={isRetried}
          onChange={() => choose(id)}
        />
      )}
      <div style={{ minWidth: 0 }}>
        {onOpen ? <UnstyledButton onClick={onOpen}>{text}</UnstyledButton> : text}
        <Text size="xs" c="dimmed" className="foreign one-line">
          {content ?? type ?? kind}
        </Text>
      </div>
    </Group>
  )
}
