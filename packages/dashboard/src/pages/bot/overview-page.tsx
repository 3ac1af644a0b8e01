// A bot at a glance: numbers of a range, open issues, deployment.

import type { AnalyticsRecord, ChangeNote } from '@botstead/contract'
import {
  Alert,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useBotName, useVersions } from '../../api/bot-query.ts'
import { useFilter } from '../../api/filters.ts'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { HandoffTimes } from '../../features/handoffs/handoff-times.tsx'
import { Bars } from '../../parts/chart.tsx'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { NotDeployedAlert } from '../../parts/objects/not-deployed.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { Moment } from '../../parts/texts/moment.tsx'
import { language } from '../../texts/in-language.ts'
import { texts } from '../../texts/texts.ts'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'

const ranges = ['1', '7', '30', '90']
const defaultRange = '7'
const dayMs = 86_400_000

export function OverviewPage() {
  const [chosen, setRange] = useFilter('days')
  const range = ranges.find((one) => one === chosen) ?? defaultRange
  const bot = useBotName()
  const isReader = useMay()('bots.read')
  const control = (
    <SegmentedControl
      aria-label={texts.bot.range}
      size="xs"
      value={range}
      onChange={setRange}
      data={ranges.map((days) => ({
        value: days,
        label: texts.common.rangeDays(Number(days)),
      }))}
    />
  )
  return (
    <Loaded query={bot}>
      {(data) => (
        <Page title={data.name} actions={control}>
          {isReader && <Deployment />}
          <Beginning key={data.id} bot={data} days={Number(range)} />
          {isReader && (
            <>
              <OpenIssues />
              <Deployments />
            </>
          )}
        </Page>
      )}
    </Loaded>
  )
}

/**
 * The first steps of a new bot, and the numbers; without data, the steps replace the numbers. Times of
 * handoffs follow when the steps are over: a page makes few requests.
 */
function Beginning({
  bot,
  days,
}: {
  bot: { id: string; createdAt?: string }
  days: number
}) {
  const steps = useFirstSteps(bot)
  const hasSteps = steps !== undefined && steps.length > 0
  return (
    <>
      {hasSteps && <FirstSteps steps={steps} />}
      <Numbers days={days} showsZeros={steps !== undefined && !hasSteps} />
      {steps && !hasSteps && <HandoffTimes from={toRange(days).startDate} />}
    </>
  )
}

interface NumbersProps {
  days: number
  /** Whether numbers without any data are shown. */
  showsZeros: boolean
}

function Numbers({ days, showsZeros }: NumbersProps) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['messages', botId, 'analytics', days],
    queryFn: ({ signal }) =>
      client.admin.getBotAnalytics(
        { params: { id: botId }, query: toRange(days) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
  useAfterFailures(botId, query.refetch)
  return (
    <Loaded query={query}>
      {({ records }) => {
        const sum = sumBy(records)
        if (!showsZeros && !hasData(records)) return null
        return (
          <>
            <SimpleGrid type="container" cols={{ base: 2, '560px': 3, '800px': 5 }}>
              <Figure
                title={texts.bot.newUsers}
                value={sum('newUsers')}
                hint={texts.bot.returning(sum('returningUsers'))}
              />
              <Figure
                title={texts.bot.sessions}
                value={sum('sessions')}
                hint={texts.bot.sessionsHint}
              />
              <Figure
                title={texts.bot.messages}
                value={sum('messages')}
                hint={texts.bot.split(sum('userMessages'), sum('botMessages'))}
              />
              <Figure
                title={texts.bot.failures}
                value={sum('failures')}
                hint={texts.bot.failuresHint}
              />
              <Figure
                title={texts.bot.cost}
                value={dollars.format(
                  records.reduce((cost, { llm }) => cost + llm.cost.sum, 0),
                )}
                hint={texts.bot.calls(
                  records.reduce((calls, { llm }) => calls + llm.calls, 0),
                )}
              />
            </SimpleGrid>
            <Days records={records} />
          </>
        )
      }}
    </Loaded>
  )
}

const refreshMs = 2_000

/** Messages refetch the numbers by their key; a failure or a redelivery may come without one. */
function useAfterFailures(botId: string, refetch: () => unknown) {
  const refresh = useThrottledCallback(() => void refetch(), refreshMs)
  const receive = useCallback(
    ({ topic, botId: changed }: ChangeNote) => {
      if (changed === botId && (topic === 'events' || topic === 'deadLetters')) refresh()
    },
    [botId, refresh],
  )
  useNotes(receive)
}

const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' })

/** From midnight UTC, as the server counts. */
function toRange(days: number) {
  const today = Date.parse(new Date().toISOString().slice(0, 10))
  return {
    startDate: new Date(today - (days - 1) * dayMs).toISOString(),
    endDate: new Date(today + dayMs).toISOString(),
  }
}

type Counter =
  | 'newUsers'
  | 'returningUsers'
  | 'sessions'
  | 'messages'
  | 'userMessages'
  | 'botMessages'
  | 'failures'
const hasData = (records: AnalyticsRecord[]) =>
  records.some(
    ({ newUsers, returningUsers, sessions, messages, failures, llm }) =>
      newUsers + returningUsers + sessions + messages + failures + llm.calls > 0,
  )
const sumBy = (records: AnalyticsRecord[]) => (name: Counter) =>
  records.reduce((sum, record) => sum + record[name], 0)

function Figure({
  title,
  value,
  hint,
}: {
  title: string
  value: number | string | undefined
  hint?: string
}) {
  return (
    <Paper className="panel" p="md">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      {value === undefined ? (
        <Skeleton h={32} w={60} />
      ) : (
        <Text fz={26} fw={650}>
          {typeof value === 'number' ? toCount(value) : value}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    </Paper>
  )
}

/** In UTC, as the server counts. */
const dayName = new Intl.DateTimeFormat(language, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

function Days({ records }: { records: AnalyticsRecord[] }) {
  const data = records.map(({ startDateTimeUtc, userMessages, botMessages }) => ({
    day: dayName.format(new Date(startDateTimeUtc)),
    userMessages,
    botMessages,
  }))
  const isEmpty = data.every(
    ({ userMessages, botMessages }) => userMessages + botMessages === 0,
  )
  return (
    <Section title={texts.bot.perDay}>
      {isEmpty ? (
        <Text c="dimmed" size="sm">
          {texts.bot.noMessages}
        </Text>
      ) : (
        <Bars
          data={data}
          dataKey="day"
          series={[
            {
              name: 'userMessages',
              label: texts.bot.received,
              color: 'var(--chart-other)',
            },
            { name: 'botMessages', label: texts.bot.sent, color: 'var(--chart)' },
          ]}
        />
      )}
    </Section>
  )
}

const maxVisible = 5

function OpenIssues() {
  const { botId, client } = useBot()
  const link = <BotLink page="issues">{texts.bot.allIssues}</BotLink>
  const query = useQuery({
    queryKey: ['issues', botId, 'newest'],
    queryFn: ({ signal }) =>
      client.platform.listIssues(
        { query: { status: 'open', pageSize: maxVisible } },
        { signal },
      ),
  })
  return (
    <Section title={texts.bot.issues} link={link}>
      <Loaded query={query}>
        {({ issues }) =>
          issues.length === 0 ? (
            <Text c="dimmed" size="sm">
              {texts.bot.noIssues}
            </Text>
          ) : (
            <Stack gap="xs">
              {issues.map(({ id, title, lastMessage, eventsCount, lastSeenAt }) => (
                <Group key={id} justify="space-between" wrap="nowrap">
                  <Text size="sm" className="foreign one-line">
                    <BotLink page="issues" search={{ issue: id }}>
                      {title}
                    </BotLink>{' '}
                    {lastMessage}
                  </Text>
                  <Text size="sm" c="dimmed" style={{ flexShrink: 0 }}>
                    {texts.bot.occurrences(eventsCount)}, <Moment at={lastSeenAt} />
                  </Text>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

/** The versions that were deployed last. */
function Deployments() {
  const link = <BotLink page="versions">{texts.bot.allVersions}</BotLink>
  const query = useVersions()
  return (
    <Section title={texts.bot.deployments} link={link}>
      <Loaded query={query}>
        {({ versions, running }) =>
          versions.length === 0 ? (
            <Text c="dimmed" size="sm">
              {texts.bot.noVersions}
            </Text>
          ) : (
            <Stack gap="xs">
              {versions
                .toSorted((one, other) => other.deployedAt.localeCompare(one.deployedAt))
                .slice(0, maxVisible)
                .map(({ id, number, name, deployedAt }) => (
                  <Group key={id} justify="space-between" wrap="nowrap">
                    <Text size="sm" className="foreign one-line">
                      {number && `#${number} `}
                      {name}
                    </Text>
                    <Text size="sm" c="dimmed" style={{ flexShrink: 0 }}>
                      {id === running?.versionId && `${texts.bot.isRunning} · `}
                      <Moment at={deployedAt} />
                    </Text>
                  </Group>
                ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function Deployment() {
  const { data } = useVersions()
  if (!data) return null
  const link = <BotLink page="versions">{texts.bot.allVersions}</BotLink>
  if (!data.deployment && data.atUrl)
    return (
      <Text size="sm" c="dimmed">
        {texts.bot.atUrl}
      </Text>
    )
  if (!data.deployment) return <NotDeployedAlert />
  const { deployedAt, loadError } = data.deployment
  return loadError ? (
    <Alert title={texts.bot.loadError} color="red" variant="light" className="foreign">
      {loadError} {link}
    </Alert>
  ) : (
    <Text size="sm" c="dimmed">
      {texts.bot.deployedAt} <Moment at={deployedAt} /> · {link}
    </Text>
  )
}
