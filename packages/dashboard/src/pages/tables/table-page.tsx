// A table: its rows in a grid, with the actions on rows and on the table.
import type { Table } from '@botstead/contract'
import { Button, Group, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Failed, Loaded, Loading } from '../../parts/states.tsx'
import { useTypedFilter } from '../../parts/typed-filter.ts'
import { texts } from '../../texts/texts.ts'
import { AddRow } from './add-row.tsx'
import { ColumnHead } from './column-head.tsx'
import { columnsOf } from './columns.ts'
import { DataGrid } from './grid/data-grid.tsx'
import { ImportDialog } from './import/import-dialog.tsx'
import { useRowView } from './row-view.ts'
import { TableMenu } from './table-menu.tsx'
import { useRowCount } from './use-row-count.ts'

const t = texts.tables

export function TablePage() {
  const { botId, client } = useBot()
  const { tableId = '' } = useParams({ strict: false })
  const query = useQuery({
    queryKey: ['tables', botId, tableId, 'table'],
    queryFn: ({ signal }) => client.tables.getTable({ params: { table: tableId } }, { signal }),
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
  const view = useRowView()
  const isFiltered = view.filter !== undefined || view.search !== undefined
  const count = useRowCount(table.id, view, total)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [isAdding, adding] = useDisclosure(false)
  const [isImporting, importing] = useDisclosure(false)
  const columns = columnsOf(table)
  const refresh = () => queries.invalidateQueries({ queryKey: ['tables', botId, table.id] })
  const add = isEditor && (
    <Group gap="xs" justify="center">
      <Button variant="default" onClick={importing.open}>
        {t.import.button}
      </Button>
      <Button onClick={adding.open}>{t.addRow}</Button>
    </Group>
  )
  return (
    <Page
      title={table.name}
      fills
      actions={
        <>
          {columns.some(({ isSearchable }) => isSearchable) && <SearchField />}
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
          <TableMenu table={table} onRefresh={refresh} />
        </>
      }
    >
      {count.error && <Failed error={count.error} retry={() => void count.refetch()} />}
      {count.data === undefined && !count.error && <Loading />}
      {count.data === 0 && (
        <Empty
          title={isFiltered ? t.noMatch : t.noRows}
          hint={isFiltered ? t.noMatchHint : t.noRowsHint}
          action={!isFiltered && add}
        />
      )}
      {count.data !== undefined && count.data > 0 && (
        <DataGrid
          key={JSON.stringify(view)}
          {...{ table, view, chosen }}
          count={count.data}
          isEditable={isEditor}
          onChosen={setChosen}
          head={(column) => <ColumnHead column={column} />}
        />
      )}
      {isImporting && <ImportDialog table={table} onClose={importing.close} />}
      {isAdding && (
        <AddRow
          tableId={table.id}
          columns={columns}
          onAdded={() => void refresh()}
          onClose={adding.close}
        />
      )}
    </Page>
  )
}

function SearchField() {
  const [search, setSearch] = useTypedFilter('search')
  return (
    <TextInput
      aria-label={t.search}
      placeholder={t.search}
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
