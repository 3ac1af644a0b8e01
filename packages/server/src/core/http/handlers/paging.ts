// Pages of listings: each starts at the position in the page token, and reads one more row to
// detect a next page.

import type { BotCaller } from '../callers/callers.ts'
import type { Context, Services } from '../services.ts'

const usual = 20

export interface PagedQuery {
  nextToken?: string | undefined
  pageSize?: number | undefined
}

export interface PageRequest<Position> {
  position: Position | null
  limit: number
  token: (position: Position) => string
}

/** `listing` identifies the tenant and the listing; tokens of another one are rejected. */
export function parsePage(
  { pageTokens }: Services,
  listing: string[],
  query: PagedQuery,
): PageRequest<string[]> {
  const name = listing.join('\n')
  return {
    position: pageTokens.read(name, query.nextToken),
    limit: Math.min(query.pageSize ?? usual, 100),
    token: (position) => pageTokens.make(name, position),
  }
}

/**
 * Returns a page of a listing inside a bot. A token is valid for one caller, one operation
 * (`runtime.listEvents`) and one set of filters. The handler reads `limit + 1` rows, starting at
 * `position`.
 */
export function pageInBot(
  { services, caller }: Context<BotCaller>,
  operation: string,
  query: PagedQuery & Record<string, unknown>,
) {
  const { nextToken: _token, pageSize: _size, ...filters } = query
  return parsePage(
    services,
    [
      operation,
      caller.botId,
      caller.integration?.alias ?? '',
      JSON.stringify(inOrder(filters)),
    ],
    query,
  )
}

/** Clients may send filters in a different order for the next page. */
const inOrder = (filters: object) =>
  Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))

/** `rows` has one row more than the page if there is a next page. */
export function toListPage<Row>(
  { limit, token }: PageRequest<string[]>,
  rows: Row[],
  position: (row: Row) => string[],
) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    meta: rows.length > limit && last ? { nextToken: token(position(last)) } : {},
  }
}

/** Positions in listings that are ordered by a time and an id. */
export const timePosition = (position: string[] | null) =>
  position && { at: new Date(position[0]!), id: position[1]! }

/** The same with the time as text, as the database sent it. */
export const textPosition = (position: string[] | null) =>
  position && { at: position[0]!, id: position[1]! }

export const creationPosition = (row: { id: string; created_at: Date }) => [
  row.created_at.toISOString(),
  row.id,
]
