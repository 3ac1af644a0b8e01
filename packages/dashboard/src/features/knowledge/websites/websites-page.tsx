// The websites of the bot's knowledge bases: add, follow their state, read again, delete.
import type { KnowledgeSource } from '@botstead/contract'
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { useFilter } from '../../../api/filters.ts'
import { usePages } from '../../../api/pages.ts'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { IconDots, IconWorld } from '../../../icons/icons.tsx'
import { Filters } from '../../../parts/forms/filters.tsx'
import { lazily } from '../../../parts/lazily.tsx'
import { WebsiteLink } from '../../../parts/objects/object-links.tsx'
import { Page } from '../../../parts/page.tsx'
import { type Column, RowList } from '../../../parts/row-list.tsx'
import { Empty } from '../../../parts/states.tsx'
import { Moment } from '../../../parts/texts/moment.tsx'
import { texts } from '../../../texts/texts.ts'
import { BaseChoice } from '../base-choice.tsx'
import { useFileLists } from '../bases.ts'
import { DeleteWebsite, EditAddress, useRefresh } from './website-actions.tsx'
import { WebsiteSchedule } from './website-schedule.tsx'
import { mayRefresh, WebsiteStatus } from './website-status.tsx'

const t = texts.knowledge.websites
const AddWebsite = lazily(async () => (await import('./add-website.tsx')).AddWebsite)

export function WebsitesPage() {
  const mayWrite = useMay()('knowledge.write')
  const [isAdding, setAdding] = useState(false)
  const add = mayWrite && (
    <Button
      leftSection={<IconWorld size={16} aria-hidden="true" />}
      onClick={() => setAdding(true)}
    >
      {t.add}
    </Button>
  )
  return (
    <Page title={t.title} actions={add} fills>
      <Text size="sm" c="dimmed">
        {t.hint}
      </Text>
      <Filters names={['base']}>
        <BaseChoice />
      </Filters>
      <Websites />
      {isAdding && <AddWebsite onClose={() => setAdding(false)} />}
    </Page>
  )
}

function Websites() {
  const { botId, client } = useBot()
  const [base] = useFilter('base')
  useFileLists()
  const query = usePages(
    ['fileLists', botId, 'websites', base],
    (page, options) =>
      client.platform.listKnowledgeSources(
        { query: { ...(base && { knowledgeBaseId: base }), pageSize: 100, ...page } },
        options,
      ),
    { keepsFormer: true },
  )
  const mayWrite = useMay()('knowledge.write')
  const { all, dialog } = useColumns()
  return (
    <>
      <RowList
        label={t.title}
        query={query}
        getRows={getSources}
        getKey={({ id }) => id}
        columns={all}
        empty={<Empty title={t.empty} hint={mayWrite ? t.emptyHint : t.emptyReader} />}
      />
      {dialog}
    </>
  )
}

const getSources = ({ sources }: { sources: KnowledgeSource[] }) => sources

function useColumns() {
  const [removed, setRemoved] = useState<KnowledgeSource | null>(null)
  const [edited, setEdited] = useState<KnowledgeSource | null>(null)
  const refresh = useRefresh()
  const mayWrite = useMay()('knowledge.write')
  const actions: Column<KnowledgeSource> = {
    title: texts.knowledge.actions,
    width: '64px',
    cell: (source) => (
      <WebsiteMenu
        source={source}
        onRefresh={() => refresh.mutate(source.id)}
        onEdit={() => setEdited(source)}
        onDelete={() => setRemoved(source)}
      />
    ),
  }
  const dialog = (
    <>
      {edited && <EditAddress source={edited} onClose={() => setEdited(null)} />}
      {removed && <DeleteWebsite source={removed} onClose={() => setRemoved(null)} />}
    </>
  )
  return { all: mayWrite ? [...columns, actions] : columns, dialog }
}

interface WebsiteMenuProps {
  source: KnowledgeSource
  onRefresh: () => void
  onEdit: () => void
  onDelete: () => void
}

const WebsiteMenu = ({ source, onRefresh, onEdit, onDelete }: WebsiteMenuProps) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        size={34}
        aria-label={texts.common.labelled(texts.knowledge.actions, source.url)}
        c="var(--mantine-color-text)"
      >
        <IconDots size={18} aria-hidden="true" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item disabled={!mayRefresh(source)} onClick={onRefresh}>
        {t.refresh}
      </Menu.Item>
      <Menu.Item onClick={onEdit}>{t.edit}</Menu.Item>
      <Menu.Item onClick={onDelete}>{t.delete}</Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

const columns: Column<KnowledgeSource>[] = [
  {
    title: t.url,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: ({ id, url }) => (
      <Text size="sm" className="one-line" title={url} component="div">
        <WebsiteLink id={id}>{url}</WebsiteLink>
      </Text>
    ),
  },
  {
    title: t.status,
    width: 'minmax(0, 3fr)',
    cell: (source) => <WebsiteStatus source={source} />,
  },
  {
    title: t.schedule,
    width: '150px',
    cell: (source) => <WebsiteSchedule source={source} />,
  },
  {
    title: t.last,
    width: '110px',
    wideOnly: true,
    cell: ({ refreshedAt }) => refreshedAt && <Moment at={refreshedAt} />,
  },
]
