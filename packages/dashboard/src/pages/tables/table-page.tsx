// A table: its rows in a grid, with the actions on rows and on the table.
import type { Table } from '@botstead/contract'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useTypedFilter } from '../../parts/forms/typed-filter.ts'
import { lazily } from '../../parts/lazily.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Failed, Loaded, Loading } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { AddRow } from './add-row.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { type ColumnAction, ColumnDialog } from './column-changes/column-dialogs.tsx'
import { ColumnHead } from './column-head.tsx'
import { type GridColumn, toColumns } from './columns.ts'
import { DataGrid } from './grid/data-grid.tsx'
import { type Edits, useEdits } from './grid/use-edits.ts'
import { GroupResults } from './group/group-results.tsx'
import { ImportBanner } from './import/import-banner.tsx'
import { useLiveRows } from './live-rows.ts'
import { useRowView, type ViewState } from './row-view.ts'
import { TableMenu } from './table-menu.tsx'
import { useRowCount } from './use-row-count.ts'
import { ViewBar } from './view-bar.tsx'

const t = texts.tables
const ImportDialog = lazily(
  async () => (await import('./import/import-dialog.tsx')).ImportDialog,
)

export function TablePage() {
  const { botId, client } = useBot()
  const { tableId = '' } = useParams({ strict: false })
  const query = useQuery({
    queryKey: ['tables', botId, tableId, 'table'],
    queryFn: ({ signal }) =>
      client.tables.getTable({ params: { table: tableId } }, { signal }),
  })
  if (query.data)
    return <OpenTable key={tableId} table={query.data.table} total={query.data.rows} />
  return (
    <Page title={t.title}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}

function OpenTable({ table, total }: { table: Table; total: number }) {
  const { botId } = useBot()
  const isEditor = useMay()('tables.write')
  const queries = useQueryClient()
  const state = useRowView()
  const { view, group } = state
  const count = useRowCount(table.id, view, total)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [dialog, setDialog] = useState<'row' | 'import' | 'bulk' | ColumnAction | null>(
    null,
  )
  const edits = useEdits(table.id)
  const columns = toColumns(table)
  const refresh = () =>
    queries.invalidateQueries({ queryKey: ['tables', botId, table.id] })
  useLiveRows({ tableId: table.id, refresh, isBusy: edits.isBusy })
  const close = () => setDialog(null)
  const add = isEditor && <AddButtons onOpen={setDialog} />
  const hasRows = count.data !== undefined && count.data > 0
  return (
    <Page
      title={table.name}
      fills
      actions={
        <>
          {columns.some(({ isSearchable }) => isSearchable) && <SearchField />}
          {isEditor && hasRows && !group && (
            <Button variant="default" onClick={() => setDialog('bulk')}>
              {texts.tableViews.bulk.button}
            </Button>
          )}
          {chosen.size > 0 && (
            <DeleteRows
              tableId={table.id}
              chosen={chosen}
              onDeleted={() => {
                setChosen(new Set())
                return refresh()
              }}
            />
          )}
          {total > 0 && add}
          <TableMenu
            table={table}
            view={view}
            onRefresh={refresh}
            onAddColumn={() => setDialog({ kind: 'add' })}
          />
        </>
      }
    >
      {dialog !== 'import' && <ImportBanner tableId={table.id} />}
      {total > 0 && <ViewBar tableId={table.id} columns={columns} state={state} />}
      {state.isWrong && <Text role="alert">{texts.tableViews.wrong}</Text>}
      <Contents
        {...{ table, total, state, count, columns, chosen, edits, isEditor, add }}
        onChosen={setChosen}
        onAction={setDialog}
      />
      {dialog === 'import' && <ImportDialog table={table} onClose={close} />}
      {dialog === 'row' && (
        <AddRow
          tableId={table.id}
          columns={columns}
          onAdded={() => void refresh()}
          onClose={close}
        />
      )}
      {dialog === 'bulk' && (
        <BulkDialog
          tableId={table.id}
          {...{ columns, view, chosen, edits }}
          count={count.data ?? 0}
          onClose={close}
        />
      )}
      {dialog !== null && typeof dialog === 'object' && (
        <ColumnDialog table={table} rows={total} action={dialog} onClose={close} />
      )}
    </Page>
  )
}

const AddButtons = ({ onOpen }: { onOpen: (dialog: 'import' | 'row') => void }) => (
  <Group gap="xs" justify="center">
    <Button variant="default" onClick={() => onOpen('import')}>
      {t.import.button}
    </Button>
    <Button onClick={() => onOpen('row')}>{t.addRow}</Button>
  </Group>
)

interface ContentsProps {
  table: Table
  total: number
  state: ViewState
  count: { data?: number | undefined; error: unknown; refetch: () => unknown }
  columns: GridColumn[]
  chosen: ReadonlySet<number>
  edits: Edits
  isEditor: boolean
  add: ReactNode
  onChosen: (rows: Set<number>) => void
  onAction: (action: ColumnAction) => void
}

/** The rows or groups of the view. */
function Contents(props: ContentsProps) {
  const { table, total, state, count, columns, chosen, edits, isEditor, add } = props
  const { onChosen, onAction } = props
  const { view, group } = state
  const isFiltered = view.filter !== undefined || view.search !== undefined
  if (count.error)
    return <Failed error={count.error} retry={() => void count.refetch()} />
  if (count.data === undefined) return <Loading />
  if (count.data === 0)
    return (
      <Empty
        title={isFiltered ? t.noMatch : t.noRows}
        hint={isFiltered ? t.noMatchHint : t.noRowsHint}
        action={!isFiltered && add}
      />
    )
  if (group) return <GroupResults {...{ tableId: table.id, columns, view, group }} />
  return (
    <DataGrid
      key={JSON.stringify(view)}
      {...{ table, view, chosen, edits, onChosen }}
      count={count.data}
      total={total}
      isEditable={isEditor}
      head={(column) => <ColumnHead {...{ table, column, state, isEditor, onAction }} />}
    />
  )
}

function SearchField() {
  const [search, setSearch] = useTypedFilter('search')
  return (
    <TextInput
      aria-label={t.search}
      placeholder={t.searchHint}
      type="search"
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
      maxLength={1024}
    />
  )
}

interface DeleteRowsProps {
  tableId: string
  chosen: ReadonlySet<number>
  onDeleted: () => Promise<unknown>
}

/** Of the API, for one request. */
const maxDeleted = 1_000

function DeleteRows({ tableId, chosen, onDeleted }: DeleteRowsProps) {
  const { client } = useBot()
  const [isOpen, { open, close }] = useDisclosure(false)
  const remove = async () => {
    const ids = [...chosen]
    let count = 0
    for (let from = 0; from < ids.length; from += maxDeleted) {
      const { deletedRows } = await client.tables.deleteTableRows({
        params: { table: tableId },
        body: { ids: ids.slice(from, from + maxDeleted) },
      })
      count += deletedRows
    }
    notifyDone(t.rowsDeleted(count))
    await onDeleted()
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.deleteRows(chosen.size)}
      </Button>
      {isOpen && (
        <Confirm
          title={t.deleteRows(chosen.size)}
          button={texts.common.delete}
          onConfirm={remove}
          onClose={close}
        >
          {t.deleteRowsHint}
        </Confirm>
      )}
    </>
  )
}
