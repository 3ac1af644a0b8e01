// The rows that a page of a table shows, from its address: filter, search and order.
import { useSearch } from '@tanstack/react-router'
import type { Filters } from '../../router.tsx'

export interface RowView {
  filter?: Record<string, unknown>
  search?: string
  orderBy?: string
  orderDirection?: 'asc' | 'desc'
}

export function useRowView(): RowView {
  const { filter, search, sort, direction }: Filters = useSearch({ strict: false })
  const parsed = parseFilter(filter)
  return {
    ...(parsed && { filter: parsed }),
    ...(search && { search }),
    ...(sort && { orderBy: sort, orderDirection: direction === 'desc' ? 'desc' : 'asc' }),
  }
}

/** Returns undefined for a text that is not a filter. */
function parseFilter(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const filter: unknown = JSON.parse(text ?? '')
    return typeof filter === 'object' && filter !== null && !Array.isArray(filter)
      ? (filter as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
