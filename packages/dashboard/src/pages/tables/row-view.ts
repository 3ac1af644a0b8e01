// The rows that a page of a table shows, from its address: filter, search, order and groups.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Filters } from '../../api/filters.ts'
import type { Filter } from './filter/filter-tree.ts'

export interface Sort {
  by: string
  direction: 'asc' | 'desc'
}

const operations = ['key', 'count', 'sum', 'avg', 'min', 'max', 'unique'] as const
export type Operation = (typeof operations)[number]
/** As the API takes it: operations by column. */
export type Grouping = Record<string, Operation[]>

export interface RowView {
  filter?: Filter
  search?: string
  sort?: Sort[]
}

export interface ViewState {
  view: RowView
  group: Grouping | undefined
  /** The address has a filter that is no JSON object. */
  isWrong: boolean
  set: (changes: { filter?: Filter; sort?: Sort[]; group?: Grouping | undefined }) => void
}

export function useRowView(): ViewState {
  const { filter, search, sort, group }: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const parsed = parseObject(filter)
  const order = parseSort(sort)
  const grouping = parseObject(group)
  return {
    view: {
      ...(parsed && { filter: parsed }),
      ...(search && { search }),
      ...(order.length > 0 && { sort: order }),
    },
    group: grouping && toGrouping(grouping),
    isWrong: filter !== undefined && !parsed,
    set: (changes) =>
      void navigate({
        to: '.',
        search: (before: Filters) => ({ ...before, ...toFilters(changes) }),
      }),
  }
}

/** Returns the query of the address; undefined removes an entry. */
export function toFilters(changes: Parameters<ViewState['set']>[0]): Filters {
  const { filter, sort } = changes
  return {
    ...(filter && {
      filter: Object.keys(filter).length > 0 ? JSON.stringify(filter) : undefined,
    }),
    ...(sort && {
      sort:
        sort.length > 0
          ? JSON.stringify(sort.map(({ by, direction }) => [by, direction]))
          : undefined,
    }),
    ...('group' in changes && { group: changes.group && JSON.stringify(changes.group) }),
  }
}

/** A filter that must hold, too. */
export const bothFilters = (one: Filter | undefined, other: Filter): Filter =>
  one ? { $and: [one, other] } : other

function parseSort(text: string | undefined): Sort[] {
  const entries = parseJson(text)
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry): Sort[] => {
    const [by, direction] = Array.isArray(entry) ? entry : []
    return typeof by === 'string'
      ? [{ by, direction: direction === 'desc' ? 'desc' : 'asc' }]
      : []
  })
}

/** Returns undefined for a text that is not an object. */
function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const toGrouping = (group: Record<string, unknown>): Grouping =>
  Object.fromEntries(
    Object.entries(group).map(([field, wanted]) => [
      field,
      operations.filter((known) => [wanted].flat().includes(known)),
    ]),
  )
