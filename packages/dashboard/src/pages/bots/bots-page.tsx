// The bots of the workspace with their health, and creating new ones.

import type { BotOverview } from '@botstead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { usePages } from '../../api/pages.ts'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { CreateBot } from './create-bot.tsx'

export function BotsPage() {
  const { workspaceId, client } = useWorkspace()
  const may = useMay()
  const [isCreating, creating] = useDisclosure(false)
  const query = usePages(
    ['bots', workspaceId, 'list'],
    (page, options) => client.platform.listBotOverviews({ query: page }, options),
    { refetchInterval: 30_000 },
  )
  const create = may('bots.create') && <Button onClick={creating.open}>{texts.bots.create}</Button>
  return (
    <Page title={texts.bots.title} actions={create} fills>
      <RowList
        label={texts.bots.title}
        query={query}
        rowsOf={({ bots }) => bots}
        keyOf={({ id }) => id}
        columns={columns}
        wrap={({ id }, cells, className) => (
          <Link
            to="/w/$workspaceId/bots/$botId"
            params={{ workspaceId, botId: id }}
            className={className}
          >
            {cells}
          </Link>
        )}
        empty={<Empty title={texts.bots.empty} hint={texts.bots.emptyHint} action={create} />}
      />
      {isCreating && <CreateBot onClose={creating.close} />}
    </Page>
  )
}

const columns: Column<BotOverview>[] = [
  {
    title: texts.bots.name,
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => <span className="foreign">{name}</span>,
  },
  { title: texts.bots.health, width: 'minmax(120px, 1fr)', cell: (bot) => <Health bot={bot} /> },
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
      deployedAt ? <Moment at={deployedAt} /> : <Text size="sm">{texts.bots.neverDeployed}</Text>,
  },
]

function Health({ bot: { health, deadLetters, openIssues, loadError } }: { bot: BotOverview }) {
  const facts = [
    ...(loadError ? [texts.bots.broken] : []),
    ...(deadLetters > 0 ? [texts.bots.deadLetters(deadLetters)] : []),
    ...(openIssues > 0 ? [texts.bots.issues(openIssues)] : []),
  ]
  return (
    <Group gap={6}>
      <Badge variant="dot" color={colours[health]} autoContrast>
        {texts.bots.healths[health]}
      </Badge>
      {facts.length > 0 && (
        <Text size="xs" c="dimmed" className="wide-only">
          {facts.join(', ')}
        </Text>
      )}
    </Group>
  )
}

const colours = { ok: 'pine', degraded: 'yellow', failing: 'red' }
