// Groups of a table with their results. A group is a link to its rows.
import { Group, Select, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Filters } from '../../../api/filters.ts'
import { useBot } from '../../../api/scope.ts'
import { type Column, RowList } from '../../../parts/row-list.tsx'
import { Empty } from '../../../parts/states.tsx'
import { language } from '../../../texts/in-language.ts'
import { texts } from '../../../texts/texts.ts'
import type { GridColumn } from '../columns.ts'
import { type FilterColumn, filterColumns } from '../filter/operators.ts'
import { shownText } from '../grid/cell-values.ts'
import { rowsKey } from '../grid/use-table-rows.ts'
import {
  bothFilters,
  type Grouping,
  type RowView,
  type Sort,
  toFilters,
} from '../row-view.ts'
import { type GroupResult, operationLabel, resultName, toResults } from './results.ts'

const t = texts.tableViews.group
const pageSize = 100

interface GroupResultsProps {
  tableId: string
  columns: GridColumn[]
  view: RowView
  group: Grouping
}

type GroupRow = Record<string, unknown> & { id: number }
type GroupPage = { rows: GroupRow[]; hasMore: boolean; offset: number }

const getRows = ({ rows }: GroupPage) => rows
const getKey = ({ id }: GroupRow) => String(id)

export function GroupResults({ tableId, columns, view, group }: GroupResultsProps) {
  const results = toResults(group)
  const known = filterColumns(columns)
  const first = results.find(({ operation }) => operation === 'key')
  const [order, setOrder] = useState<Sort>({
    by: first ? resultName(first) : 'id',
    direction: 'asc',
  })
  const query = useGroups(tableId, view, group, order)
  const toFilter = (row: GroupRow) => {
    const keys = results
      .filter(({ operation }) => operation === 'key')
      .map((result) => [result.field, { $eq: row[resultName(result)] ?? null }])
    return bothFilters(view.filter, Object.fromEntries(keys))
  }
  const shown: Column<GroupRow>[] = results.map((result, n) => ({
    title: toTitle(result),
    width: result.operation === 'key' ? '2fr' : '1fr',
    fullLine: n === 0,
    isNumber: isNumber(result, known),
    cell: (row) => <ResultCell row={row} result={result} columns={known} />,
  }))
  return (
    <>
      <OrderFields results={results} order={order} onChange={setOrder} />
      <RowList<GroupPage, GroupRow>
        label={t.list}
        query={query}
        getRows={getRows}
        getKey={getKey}
        columns={shown}
        wrap={(row, cells, className) => (
          <Link
            to="."
            search={(before: Filters) => ({
              ...before,
              ...toFilters({ filter: toFilter(row), group: undefined }),
            })}
            className={className}
          >
            {cells}
          </Link>
        )}
        empty={<Empty title={t.empty} />}
      />
    </>
  )
}

function useGroups(tableId: string, { filter }: RowView, group: Grouping, order: Sort) {
  const { botId, client } = useBot()
  return useInfiniteQuery({
    queryKey: [...rowsKey(botId, tableId), 'groups', { filter, group, order }],
    queryFn: async ({ signal, pageParam }): Promise<GroupPage> =>
      (await client.tables.findTableRows(
        {
          params: { table: tableId },
          body: {
            ...(filter && { filter }),
            group,
            orderBy: order.by,
            orderDirection: order.direction,
            limit: pageSize,
            offset: pageParam,
          },
        },
        { signal },
      )) as unknown as GroupPage,
    initialPageParam: 0,
    getNextPageParam: ({ hasMore, offset }) => (hasMore ? offset + pageSize : undefined),
  })
}

/** Whether the result is a value of the column. */
const isOfColumn = ({ operation }: GroupResult) =>
  ['key', 'min', 'max'].includes(operation)
const typeOf = ({ field }: GroupResult, columns: FilterColumn[]) =>
  columns.find(({ name }) => name === field)?.type ?? 'string'
const isNumber = (result: GroupResult, columns: FilterColumn[]) =>
  !isOfColumn(result) || typeOf(result, columns) === 'number'

function ResultCell({
  row,
  result,
  columns,
}: {
  row: GroupRow
  result: GroupResult
  columns: FilterColumn[]
}) {
  const value = row[resultName(result)]
  if (value === null || value === undefined)
    return (
      <Text c="dimmed" size="sm">
        {t.noValue}
      </Text>
    )
  return (
    <span className="foreign one-line">
      {isOfColumn(result)
        ? shownText(value, { type: typeOf(result, columns) })
        : rounded.format(Number(value))}
    </span>
  )
}

/** To two places. Small numbers keep three digits. */
const rounded = new Intl.NumberFormat(language, {
  maximumFractionDigits: 2,
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  useGrouping: false,
})

const toTitle = ({ field, operation }: GroupResult) => {
  const label = operationLabel({ field, operation })
  if (operation === 'key') return field
  return label === t.rowCount ? label : texts.common.labelled(field, label)
}

interface OrderFieldsProps {
  results: GroupResult[]
  order: Sort
  onChange: (order: Sort) => void
}

const OrderFields = ({ results, order, onChange }: OrderFieldsProps) => (
  <Group gap="xs" align="end">
    <Select
      label={t.sortBy}
      data={[
        ...results.map((result) => ({
          value: resultName(result),
          label: toTitle(result),
        })),
        { value: 'id', label: t.oldest },
      ]}
      value={order.by}
      allowDeselect={false}
      onChange={(by) => by && onChange({ ...order, by })}
    />
    <Select
      label={t.direction}
      w={150}
      data={[
        { value: 'asc', label: texts.tableViews.sort.asc },
        { value: 'desc', label: texts.tableViews.sort.desc },
      ]}
      value={order.direction}
      allowDeselect={false}
      onChange={(direction) =>
        onChange({ ...order, direction: direction === 'desc' ? 'desc' : 'asc' })
      }
    />
    <Text size="sm" c="dimmed">
      {t.openRows}
    </Text>
  </Group>
)
