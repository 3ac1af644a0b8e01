// One kind of usage over time, and by bot.
import { Group, Progress, SegmentedControl, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFilter } from '../../api/filters.ts'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Bars } from '../../parts/chart.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import {
  isCounted,
  type Kind,
  kindsOfBots,
  monthName,
  refetchMs,
  toAmount,
  toBounds,
  toKinds,
} from './measures.ts'

const t = texts.usage

export function Course({ month }: { month: string }) {
  const choices = kindsOfBots.filter((kind) => toKinds(month).includes(kind))
  const [measure, setMeasure] = useFilter('measure')
  const [by = 'days', setBy] = useFilter('by')
  const kind = choices.find((choice) => choice === measure) ?? choices[0]!
  const controls = (
    <Group gap="xs">
      <Select
        aria-label={t.measure}
        size="xs"
        w={170}
        data={choices.map((value) => ({ value, label: t.kinds[value] }))}
        value={kind}
        onChange={(chosen) => chosen && setMeasure(chosen)}
        allowDeselect={false}
      />
      {isCounted(kind) && (
        <SegmentedControl
          aria-label={t.period}
          size="xs"
          value={by}
          onChange={setBy}
          data={Object.entries(t.by).map(([value, label]) => ({ value, label }))}
        />
      )}
    </Group>
  )
  return (
    <>
      <Section title={t.chart} link={controls}>
        {isCounted(kind) ? <Chart kind={kind} month={month} by={by} /> : <NoHistory />}
      </Section>
      <Section title={texts.common.labelled(t.perBot, t.kinds[kind])}>
        <Bots kind={kind} month={month} />
      </Section>
    </>
  )
}

const NoHistory = () => (
  <Text size="sm" c="dimmed">
    {t.pastHint}
  </Text>
)

function Chart({ kind, month, by }: { kind: Kind; month: string; by: string }) {
  const query = useBars(kind, month, by)
  return (
    <Loaded query={query}>
      {(bars) =>
        bars.every(({ value }) => value === 0) ? (
          <Text size="sm" c="dimmed">
            {t.noUsage}
          </Text>
        ) : (
          <Bars
            data={bars}
            dataKey="time"
            series={[{ name: 'value', label: t.kinds[kind], color: 'var(--chart)' }]}
            format={(value) => toAmount(kind, value)}
            hasDecimals={kind === 'ai_spend'}
          />
        )
      }
    </Loaded>
  )
}

interface Bar {
  time: string
  value: number
}

/** The days of the month, or all months with usage. */
function useBars(type: Kind, month: string, by: string) {
  const { workspaceId, client } = useWorkspace()
  const params = { id: workspaceId }
  return useQuery({
    queryKey: ['usage', workspaceId, 'bars', type, by, by === 'days' && month],
    queryFn: async ({ signal }): Promise<Bar[]> => {
      if (by === 'months') {
        const { usages } = await client.admin.listUsageHistory(
          { params, query: { type } },
          { signal },
        )
        return usages
          .map(({ period, value }) => ({ time: monthName(period.slice(0, 7)), value }))
          .reverse()
      }
      const { from, until } = toBounds(month)
      const { data } = await client.admin.listUsageActivityDaily(
        { params, query: { type, dateFrom: from, dateUntil: until, pageSize: 100 } },
        { signal },
      )
      return toDays(
        month,
        new Map(data.map(({ date, value }) => [date.slice(0, 10), value])),
      )
    },
    refetchInterval: refetchMs,
  })
}

/** All days of the month, also those without usage. */
function toDays(month: string, values: Map<string, number>): Bar[] {
  const { from, until } = toBounds(month)
  const days = (Date.parse(until) - Date.parse(from)) / 86_400_000
  return Array.from({ length: days }, (_, index) => {
    const day = String(index + 1).padStart(2, '0')
    return { time: day, value: values.get(`${month}-${day}`) ?? 0 }
  })
}

const maxBots = 100

function Bots({ kind, month }: { kind: Kind; month: string }) {
  const { workspaceId, client } = useWorkspace()
  const names = useBotNames()
  const query = useQuery({
    queryKey: ['usage', workspaceId, 'bots', kind, month],
    queryFn: ({ signal }) =>
      client.admin.breakDownWorkspaceUsageByBot(
        { params: { id: workspaceId }, query: { type: kind, period: month } },
        { signal },
      ),
    refetchInterval: refetchMs,
  })
  return (
    <Loaded query={query}>
      {({ data }) => {
        if (data.length === 0)
          return (
            <Text size="sm" c="dimmed">
              {t.noUsage}
            </Text>
          )
        const total = data.reduce((sum, { value }) => sum + value, 0)
        return (
          <Grid
            label={t.perBot}
            head={[t.bot, t.amount, t.share]}
            rows={data
              .slice(0, maxBots)
              .map(({ botId, value }) => [
                names.get(botId) ?? botId,
                toAmount(kind, value),
                <Share key={botId} percent={total > 0 ? (100 * value) / total : 0} />,
              ])}
          />
        )
      }}
    </Loaded>
  )
}

const Share = ({ percent }: { percent: number }) => (
  <Group gap="xs" wrap="nowrap">
    <Progress value={percent} color="var(--chart)" flex={1} miw={40} aria-hidden="true" />
    <Text size="sm" c="dimmed" w={48} ta="end">
      {t.percent(percent)}
    </Text>
  </Group>
)

/** Names of the newest bots; others appear by their id, as for roles that may not read bots. */
export function useBotNames(): Map<string, string> {
  const { workspaceId, client } = useWorkspace()
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['bots', workspaceId, 'names'],
    queryFn: ({ signal }) =>
      client.admin.listBots({ query: { pageSize: 100 } }, { signal }),
    enabled: may('bots.read'),
  })
  return new Map(data?.bots.map(({ id, name }) => [id, name]))
}
