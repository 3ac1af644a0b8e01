// The bots of the workspace with their health, and creating new ones.

import type { BotOverview, BotSummary } from '@botstead/contract'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { PasswordHint } from '../../features/sign-in/password-hint.tsx'
import { TextFilter } from '../../parts/forms/filter-fields.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { CreateBot } from './create-bot.tsx'
import { Examples } from './examples.tsx'

/** With fewer bots, all are visible at once. */
const many = 8

export const BotsPage = () => (useMay()('bots.read') ? <Overviews /> : <Names />)

/** For roles that may not see the health of bots. */
function Names() {
  const { workspaceId, client } = useWorkspace()
  const query = usePages(['bots', workspaceId, 'list'], (page, options) =>
    client.admin.listBots({ query: { ...page, pageSize: 100 } }, options),
  )
  return (
    <Page title={texts.bots.title} fills>
      <RowList
        label={texts.bots.title}
        query={query}
        getRows={({ bots }) => bots}
        getKey={({ id }) => id}
        columns={nameColumns}
        wrap={toBotLink(workspaceId)}
        empty={<NoBots mayCreate={false} />}
      />
      <PasswordHint />
    </Page>
  )
}

const toBotLink =
  (workspaceId: string) => (bot: { id: string }, cells: ReactNode, className: string) => (
    <Link
      to="/w/$workspaceId/bots/$botId"
      params={{ workspaceId, botId: bot.id }}
      className={className}
    >
      {cells}
    </Link>
  )

const nameColumns: Column<BotSummary>[] = [
  {
    title: texts.bots.name,
    width: 'minmax(0, 1fr)',
    cell: ({ name }) => <span className="foreign row-link">{name}</span>,
  },
]

function Overviews() {
  const { workspaceId, client } = useWorkspace()
  const may = useMay()
  const [isCreating, creating] = useDisclosure(false)
  const [search] = useFilter('search')
  const query = usePages(
    ['bots', workspaceId, 'list', search],
    (page, options) =>
      client.platform.listBotOverviews(
        { query: { ...page, ...(search && { search }) } },
        options,
      ),
    { refetchInterval: 30_000, keepsFormer: true },
  )
  const create = may('bots.create') && (
    <Button onClick={creating.open}>{texts.bots.create}</Button>
  )
  const hasSearch =
    search !== undefined || (query.data?.pages[0]?.bots.length ?? 0) >= many
  return (
    <Page title={texts.bots.title} actions={create} fills>
      {hasSearch && (
        <Group>
          <TextFilter name="search" label={texts.bots.search} />
        </Group>
      )}
      <RowList
        label={texts.bots.title}
        query={query}
        getRows={({ bots }) => bots}
        getKey={({ id }) => id}
        columns={columns}
        wrap={toBotLink(workspaceId)}
        empty={
          search === undefined ? (
            <NoBots mayCreate={may('bots.create')} />
          ) : (
            <Empty title={texts.bots.nothingFound} hint={texts.bots.nothingFoundHint} />
          )
        }
      />
      <PasswordHint />
      {isCreating && <CreateBot onClose={creating.close} />}
    </Page>
  )
}

function NoBots({ mayCreate }: { mayCreate: boolean }) {
  if (!mayCreate) return <Empty title={texts.bots.empty} hint={texts.bots.emptyViewer} />
  return (
    <Stack gap="md" maw={860} w="100%" mx="auto">
      <Empty title={texts.bots.empty} hint={texts.bots.emptyHint} />
      <Examples />
    </Stack>
  )
}

const columns: Column<BotOverview>[] = [
  {
    title: texts.bots.name,
    width: 'minmax(0, 2fr)',
    fullLine: true,
    cell: ({ name, dev, blocked, messagesToday, pendingDeliveries }) => (
      <>
        <Group gap={6}>
          <span className="foreign row-link">{name}</span>
          {dev && <Badge variant="default">{texts.bots.dev}</Badge>}
          {blocked && <Badge color="red.8">{texts.bots.blocked}</Badge>}
        </Group>
        <Text size="xs" c="dimmed" className="narrow-only">
          {texts.bots.activity(messagesToday, pendingDeliveries)}
        </Text>
      </>
    ),
  },
  {
    title: texts.bots.health,
    width: 'minmax(150px, 1fr)',
    cell: (bot) => <Health bot={bot} />,
  },
  {
    title: texts.bots.pending,
    width: '90px',
    wideOnly: true,
    cell: ({ pendingDeliveries }) => (
      <Text size="sm" title={texts.bots.pendingHint}>
        {pendingDeliveries}
      </Text>
    ),
  },
  {
    title: texts.bots.today,
    width: '140px',
    wideOnly: true,
    cell: ({ messagesToday }) => <Text size="sm">{messagesToday}</Text>,
  },
  {
    title: texts.bots.deployed,
    width: '120px',
    wideOnly: true,
    cell: ({ deployedAt }) =>
      deployedAt ? (
        <Moment at={deployedAt} />
      ) : (
        <Text size="sm">{texts.bots.neverDeployed}</Text>
      ),
  },
]

function Health({ bot }: { bot: BotOverview }) {
  const { deadLetters, openIssues, loadError, lastFailure, deployedAt, atUrl } = bot
  const health = bot.health === 'ok' && !deployedAt && !atUrl ? 'undeployed' : bot.health
  const isMended = lastFailure && deployedAt && lastFailure.at < deployedAt
  const facts = [
    ...(loadError ? [texts.bots.broken] : []),
    ...(deadLetters > 0 ? [texts.bots.deadLetters(deadLetters)] : []),
    ...(openIssues > 0
      ? [isMended ? texts.bots.mended : texts.bots.issues(openIssues)]
      : []),
  ]
  return (
    <Group gap={6}>
      <Badge variant="dot" color={colours[health]}>
        {texts.bots.healths[health]}
      </Badge>
      {facts.length > 0 && (
        <Text size="xs" c="dimmed">
          {facts.join(texts.common.comma)}
        </Text>
      )}
    </Group>
  )
}

/** Visible in both themes. */
const colours = {
  ok: 'var(--good)',
  degraded: 'var(--lamp)',
  failing: 'var(--bad)',
  undeployed: 'var(--mantine-color-dimmed)',
}
