// The log of a bot: search, and new lines as they are written.

import type { LogLine } from '@botstead/contract'
import { Badge, Select, Text } from '@mantine/core'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { TextFilter } from '../../parts/forms/filter-fields.tsx'
import { Filters } from '../../parts/forms/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { LongText } from '../../parts/texts/long-text.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { TraceDialog } from '../../parts/traces/trace.tsx'
import { useTraced } from '../../parts/traces/use-trace.ts'
import { texts } from '../../texts/texts.ts'

type Level = LogLine['level']
const levels = ['debug', 'info', 'warn', 'error'] as const
const rangeMs = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }
type Range = keyof typeof rangeMs

export function LogsPage() {
  const [, setTraced] = useTraced()
  const query = useLines()
  return (
    <Page title={texts.logs.title} fills>
      <FilterFields />
      <Text size="xs" c="dimmed">
        {texts.logs.live}
      </Text>
      <RowList
        label={texts.logs.title}
        query={query}
        getRows={getRows}
        getKey={({ id }) => id}
        columns={columns}
        wrap={({ eventId }, cells, className) =>
          eventId ? (
            <button
              type="button"
              className={className}
              onClick={() => setTraced(eventId)}
            >
              {cells}
            </button>
          ) : (
            <div className={className}>{cells}</div>
          )
        }
        empty={<Empty title={texts.logs.empty} hint={texts.logs.emptyHint} />}
      />
      <TraceDialog />
    </Page>
  )
}

const getRows = ({ logs }: { logs: LogLine[] }) => logs

function useLines() {
  const { botId, client } = useBot()
  const [contains] = useFilter('contains')
  const [chosen] = useFilter('level')
  const [conversationId] = useFilter('conversationId')
  const [range] = useFilter('range')
  const level = levels.find((one) => one === chosen)
  const ms = rangeMs[range as Range]
  return usePages(
    ['logs', botId, 'list', { contains, level, conversationId, range }],
    (page, options) =>
      client.platform.listLogs(
        {
          query: {
            ...(contains && { contains }),
            ...(level && { level }),
            ...(conversationId && { conversationId }),
            ...(ms && { afterDate: new Date(toMinute(Date.now() - ms)).toISOString() }),
            ...page,
          },
        },
        options,
      ),
    { keepsFormer: true },
  )
}

/** Page tokens are valid for the same filters only, so a range begins with a full hour. */
const toMinute = (at: number) => at - (at % 3_600_000)

function FilterFields() {
  const [level, setLevel] = useFilter('level')
  const [range, setRange] = useFilter('range')
  const all = (labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }))
  return (
    <Filters names={['contains', 'conversationId', 'level', 'range']}>
      <TextFilter name="contains" label={texts.logs.search} />
      <TextFilter
        name="conversationId"
        label={texts.logs.conversation}
        placeholder={texts.logs.conversationHint}
      />
      <Select
        label={texts.logs.level}
        value={level ?? 'all'}
        onChange={(value) => setLevel(value === 'all' ? '' : (value ?? ''))}
        data={all(texts.logs.levels)}
        allowDeselect={false}
      />
      <Select
        label={texts.logs.range}
        value={range ?? 'all'}
        onChange={(value) => setRange(value === 'all' ? '' : (value ?? ''))}
        data={all(texts.logs.ranges)}
        allowDeselect={false}
      />
    </Filters>
  )
}

const colours: Record<Level, string> = { error: 'red', warn: 'yellow', debug: 'gray' }

const columns: Column<LogLine>[] = [
  {
    title: texts.logs.time,
    width: '205px',
    cell: ({ timestamp }) => (
      <Text size="sm" className="one-line">
        {exactTime(timestamp)}
      </Text>
    ),
  },
  {
    title: texts.logs.level,
    width: '90px',
    cell: ({ level }) => (
      <Badge variant="light" color={colours[level] ?? 'pine'}>
        {level}
      </Badge>
    ),
  },
  {
    title: texts.logs.line,
    width: 'minmax(0, 1fr)',
    fullLine: true,
    cell: ({ message, eventId }) => (
      <LongText text={message} isFixed={eventId !== undefined} />
    ),
  },
]
