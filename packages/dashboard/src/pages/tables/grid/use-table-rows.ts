// Rows of a table in pages: those in view are loaded. In the order of the numbers, a page beside a
// loaded one is found by its neighbour; pages of filtered and sorted rows cost the same anywhere.
import type { Client } from '@botstead/client'
import type { Row } from '@botstead/contract'
import {
  type QueryClient,
  type QueryKey,
  useQueries,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import type { RowView } from '../row-view.ts'

const pageSize = 100
/** While the user scrolls through the table, in ms. */
const pauseMs = 90

export const rowsKey = (botId: string, tableId: string): QueryKey => [
  'tables',
  botId,
  tableId,
  'rows',
]

interface LoadedRows {
  rowAt: (index: number) => Row | undefined
  error: Error | null
  refetch: () => void
}

export function useTableRows(
  tableId: string,
  view: RowView,
  { first, last }: { first: number; last: number },
): LoadedRows {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [from, to] = useThrottled(
    Math.floor(first / pageSize),
    Math.floor(last / pageSize),
  )
  const key = [...rowsKey(botId, tableId), 'pages', view]
  const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readPage({ client, queries, key, tableId, view, signal }, page),
      staleTime: 30_000,
      gcTime: 120_000,
    })),
  })
  // Reading `data` makes React draw the grid again when a page arrives.
  const loaded = new Map(pages.map((page, i) => [page, results[i]?.data]))
  const rowAt = (index: number) => {
    const page = Math.floor(index / pageSize)
    if (!loaded.has(page)) loaded.set(page, queries.getQueryData<Row[]>([...key, page]))
    return loaded.get(page)?.[index % pageSize]
  }
  return {
    rowAt,
    error: results.find(({ error }) => error)?.error ?? null,
    refetch: () => void queries.invalidateQueries({ queryKey: rowsKey(botId, tableId) }),
  }
}

/** Follows the pages in view, with a pause between changes. */
function useThrottled(from: number, to: number): readonly [number, number] {
  const [shown, setShown] = useState([from, to] as const)
  const changedAt = useRef(0)
  useEffect(() => {
    const pause = Math.max(0, changedAt.current + pauseMs - performance.now())
    const timer = setTimeout(() => {
      changedAt.current = performance.now()
      setShown([from, to])
    }, pause)
    return () => clearTimeout(timer)
  }, [from, to])
  return shown
}

interface Source {
  client: Client
  queries: QueryClient
  key: QueryKey
  tableId: string
  view: RowView
  signal: AbortSignal
}

async function readPage(source: Source, page: number): Promise<Row[]> {
  const { client, tableId, view, signal } = source
  const { filter, search, sort } = view
  const params = { table: tableId }
  const at = { limit: pageSize, offset: page * pageSize }
  if (search) {
    const body = { ...at, search, ...(filter && { filter }) }
    return (await client.tables.findTableRows({ params, body }, { signal })).rows
  }
  if (filter || sort) {
    const body = { ...at, ...(filter && { filter }), ...(sort && { sort }) }
    return (await client.platform.findTableRowPage({ params, body }, { signal })).rows
  }
  const beside = findNeighbors(source, page)
  const { rows } = await client.tables.findTableRows(
    { params, body: beside ? { limit: pageSize, ...beside.body } : at },
    { signal },
  )
  return beside?.isReversed ? rows.reverse() : rows
}

/** Rows are in the order of their numbers. */
function findNeighbors({ queries, key }: Source, page: number) {
  const getRows = (other: number) => {
    const state = queries.getQueryState<Row[]>([...key, other])
    return state?.isInvalidated ? undefined : state?.data
  }
  const before = getRows(page - 1)?.[pageSize - 1]
  const after = getRows(page + 1)?.[0]
  if (before) return { isReversed: false, body: { filter: { id: { $gt: before.id } } } }
  if (!after) return null
  const body = { orderBy: 'id', orderDirection: 'desc' as const }
  return { isReversed: true, body: { filter: { id: { $lt: after.id } }, ...body } }
}
