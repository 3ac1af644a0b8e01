// One website: its state, and its pages with the reasons for those that were not read.
import type { KnowledgePage, KnowledgeSource } from '@botstead/contract'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Filters as Search } from '../../../api/filters.ts'
import { usePages } from '../../../api/pages.ts'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { ChoiceFilter } from '../../../parts/forms/filter-fields.tsx'
import { Filters } from '../../../parts/forms/filters.tsx'
import { Fact } from '../../../parts/objects/fact.tsx'
import { FileLink } from '../../../parts/objects/object-links.tsx'
import { Page } from '../../../parts/page.tsx'
import { type Column, RowList } from '../../../parts/row-list.tsx'
import { Empty, Loaded } from '../../../parts/states.tsx'
import { exactTime, Moment } from '../../../parts/texts/moment.tsx'
import { texts } from '../../../texts/texts.ts'
import { useBases, useFileLists } from '../bases.ts'
import { WebLink } from '../web-link.tsx'
import { DeleteWebsite, EditAddress, useRefresh } from './website-actions.tsx'
import { WebsiteSchedule } from './website-schedule.tsx'
import { mayRefresh, WebsiteStatus } from './website-status.tsx'

const t = texts.knowledge.websites
type Status = KnowledgePage['status']
const statuses = Object.keys(t.pageStatuses) as Status[]

export function WebsitePage() {
  const { sourceId = '' } = useParams({ strict: false })
  const { botId, client } = useBot()
  useFileLists()
  const query = useQuery({
    queryKey: ['fileLists', botId, 'website', sourceId],
    queryFn: ({ signal }) =>
      client.platform.getKnowledgeSource({ params: { id: sourceId } }, { signal }),
  })
  const source = query.data?.source
  return (
    <Page
      title={source?.url ?? t.page}
      actions={source && <Actions source={source} />}
      fills
    >
      <Loaded query={query}>
        {({ source }) => (
          <>
            <Facts source={source} />
            <Filters names={['status']}>
              <ChoiceFilter
                name="status"
                label={t.status}
                choices={statuses.map((value) => ({
                  value,
                  label: t.pageStatuses[value],
                }))}
              />
            </Filters>
            <Pages sourceId={source.id} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Actions({ source }: { source: KnowledgeSource }) {
  const { workspaceId, botId } = useBot()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  if (!useMay()('knowledge.write')) return null
  return (
    <>
      <Button
        variant="default"
        disabled={!mayRefresh(source)}
        loading={refresh.isPending}
        onClick={() => refresh.mutate(source.id)}
      >
        {t.refresh}
      </Button>
      <Button variant="default" onClick={() => setEditing(true)}>
        {t.edit}
      </Button>
      <Button variant="default" c="var(--bad)" onClick={() => setDeleting(true)}>
        {t.delete}
      </Button>
      {isEditing && <EditAddress source={source} onClose={() => setEditing(false)} />}
      {isDeleting && (
        <DeleteWebsite
          source={source}
          onDeleted={() =>
            navigate({
              to: '/w/$workspaceId/bots/$botId/knowledge/websites',
              params: { workspaceId, botId },
              replace: true,
            })
          }
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

function Facts({ source }: { source: KnowledgeSource }) {
  const { data: bases } = useBases()
  const base = bases?.find(({ id }) => id === source.knowledgeBaseId)
  return (
    <Stack gap={6}>
      <WebsiteStatus source={source} />
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {texts.common.labelled(t.schedule, '')}
        </Text>
        <WebsiteSchedule source={source} />
      </Group>
      <Group gap="md">
        <Fact name={texts.knowledge.base}>{base?.name ?? texts.knowledge.noBase}</Fact>
        {source.refreshedAt && <Fact name={t.last}>{exactTime(source.refreshedAt)}</Fact>}
        {source.nextRefreshAt && mayRefresh(source) && (
          <Fact name={t.next}>{exactTime(source.nextRefreshAt)}</Fact>
        )}
      </Group>
    </Stack>
  )
}

function Pages({ sourceId: id }: { sourceId: string }) {
  const { botId, client } = useBot()
  const { status }: Search = useSearch({ strict: false })
  const filter = statuses.includes(status as Status) ? { status: status as Status } : {}
  const query = usePages(
    ['fileLists', botId, 'websitePages', id, filter],
    (page, options) =>
      client.platform.listKnowledgePages(
        { params: { id }, query: { ...filter, pageSize: 100, ...page } },
        options,
      ),
    { keepsFormer: true },
  )
  return (
    <RowList
      label={t.pages}
      query={query}
      getRows={getPages}
      getKey={({ url }) => url}
      columns={columns}
      empty={<Empty title={t.noPages} hint={t.noPagesHint} />}
    />
  )
}

const getPages = ({ pages }: { pages: KnowledgePage[] }) => pages

const isBad = (status: Status) => ['blocked', 'failed', 'gone'].includes(status)

const columns: Column<KnowledgePage>[] = [
  {
    title: t.url,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: ({ url }) => (
      <Text size="sm" className="one-line" title={url} component="div">
        <WebLink url={url} />
      </Text>
    ),
  },
  {
    title: t.status,
    width: 'minmax(0, 3fr)',
    cell: ({ status, reason }) => (
      <Stack gap={2} align="flex-start">
        <Badge {...(isBad(status) ? { color: 'red.8' } : { variant: 'light' })}>
          {t.pageStatuses[status]}
        </Badge>
        {reason && (
          <Text size="xs" className="foreign" style={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: t.file,
    width: '110px',
    cell: ({ fileId }) => fileId && <FileLink id={fileId}>{t.file}</FileLink>,
  },
  {
    title: t.checked,
    width: '110px',
    wideOnly: true,
    cell: ({ checkedAt }) => checkedAt && <Moment at={checkedAt} />,
  },
]
