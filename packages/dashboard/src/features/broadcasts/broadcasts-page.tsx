// The broadcasts of a bot: list, create.
import type { Broadcast } from '@botstead/contract'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconPlus } from '../../icons/icons.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { BroadcastLink } from '../../parts/objects/object-links.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { BroadcastState } from './broadcast-state.tsx'

const t = texts.broadcasts
const CreateBroadcast = lazily(
  async () => (await import('./create-broadcast.tsx')).CreateBroadcast,
)

export function BroadcastsPage() {
  const { botId, client } = useBot()
  const mayWrite = useMay()('data.write')
  const [isAdding, setAdding] = useState(false)
  const query = usePages(['broadcasts', botId, 'list'], (page, options) =>
    client.platform.listBroadcasts({ query: page }, options),
  )
  const add = mayWrite && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setAdding(true)}
    >
      {t.add}
    </Button>
  )
  return (
    <Page title={t.title} docs="broadcasts" actions={add} fills>
      <Text size="sm" c="dimmed">
        {t.hint}
      </Text>
      <RowList
        label={t.title}
        query={query}
        getRows={getRows}
        getKey={({ id }) => id}
        columns={columns}
        empty={<Empty title={t.empty} hint={t.emptyHint} />}
      />
      {isAdding && <CreateBroadcast onClose={() => setAdding(false)} />}
    </Page>
  )
}

const getRows = ({ broadcasts }: { broadcasts: Broadcast[] }) => broadcasts

const columns: Column<Broadcast>[] = [
  {
    title: t.name,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: ({ id, name }) => (
      <Text size="sm" className="one-line" component="div">
        <BroadcastLink id={id}>{name}</BroadcastLink>
      </Text>
    ),
  },
  {
    title: t.channel,
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ audience }) => (
      <Text size="sm" className="foreign one-line">
        {audience.integration}
      </Text>
    ),
  },
  {
    title: t.state,
    width: '160px',
    cell: ({ state }) => <BroadcastState state={state} />,
  },
  { title: t.startAt, width: '110px', cell: ({ startAt }) => <Moment at={startAt} /> },
]
