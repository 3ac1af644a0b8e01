// The tables of a bot.
import type { Table } from '@botstead/contract'
import { Badge, Button, Group, Progress, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { lazily } from '../../parts/lazily.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { CreateTable } from './create-table.tsx'
import { useTableCounts } from './jobs.ts'
import { useLiveRows } from './live-rows.ts'

const t = texts.tables
const ImportDialog = lazily(
  async () => (await import('./import/import-dialog.tsx')).ImportDialog,
)

export function TablesPage() {
  const { botId, client } = useBot()
  const isEditor = useMay()('tables.write')
  const [isCreating, create] = useDisclosure(false)
  const [isImporting, importing] = useDisclosure(false)
  const query = useQuery({
    queryKey: ['tables', botId, 'list'],
    queryFn: ({ signal }) => client.tables.listTables({}, { signal }),
  })
  const buttons = (
    <Group gap="xs" justify="center">
      <Button variant="default" onClick={importing.open}>
        {t.import.button}
      </Button>
      <Button onClick={create.open}>{t.new}</Button>
    </Group>
  )
  const hasTables = !!query.data?.tables.length
  return (
    <Page title={t.title} docs="tables" actions={isEditor && hasTables && buttons}>
      <Loaded query={query}>
        {({ tables }) =>
          tables.length > 0 ? (
            <TableList tables={tables} />
          ) : (
            <Empty
              title={t.empty}
              hint={isEditor ? t.emptyHint : t.emptyReader}
              action={isEditor && buttons}
            />
          )
        }
      </Loaded>
      {isImporting && <ImportDialog onClose={importing.close} />}
      {isCreating && <CreateTable onClose={create.close} />}
    </Page>
  )
}

function TableList({ tables }: { tables: Table[] }) {
  const { workspaceId, botId } = useBot()
  const counts = useTableCounts()
  const queries = useQueryClient()
  useLiveRows({
    refresh: () =>
      queries.invalidateQueries({ queryKey: ['tableJobs', botId, 'counts'] }),
  })
  return (
    <section className="panel" aria-label={t.title}>
      {tables.map((table) => (
        <Link
          key={table.id}
          to="/w/$workspaceId/bots/$botId/tables/$tableId"
          params={{ workspaceId, botId, tableId: table.id }}
          className="row-cells"
          style={{ gridTemplateColumns: 'minmax(0, 1fr) auto' }}
        >
          <span>
            <Text className="foreign one-line" fw={600} size="sm">
              {table.name}
            </Text>
            <Text className="foreign one-line" c="dimmed" size="xs">
              {toFacts(table, counts.get(table.id)?.rows).join(' · ')}
            </Text>
            <ImportNote progress={counts.get(table.id)?.importProgress} />
          </span>
          <span>
            {table.frozen && <Badge variant="default">{t.frozen}</Badge>}
            {table.updatedAt && <Moment at={table.updatedAt} />}
          </span>
        </Link>
      ))}
    </section>
  )
}

function toFacts({ schema: { properties } }: Table, rows: number | undefined): string[] {
  const names = Object.keys(properties)
  return [
    ...(rows === undefined ? [] : [t.grid.rows(rows)]),
    t.columnCount(names.length),
    ...names,
  ]
}

function ImportNote({ progress }: { progress: number | undefined }) {
  if (progress === undefined) return null
  const percent = Math.floor(progress)
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs">{t.import.runningNow(percent)}</Text>
      <Progress flex={1} maw={240} value={percent} aria-label={t.import.running} />
    </Group>
  )
}
