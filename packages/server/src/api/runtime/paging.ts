// Pages of the Runtime API's listings. A token holds for one caller, one operation and one set of filters.
import type { BotCaller, Context } from '../../services.ts'
import { startOf } from '../paging.ts'

interface PagedQuery {
  nextToken?: string
  pageSize?: number
}

/** The handler reads `limit + 1` rows, from `position` on. */
export function pageFor({ services, caller }: Context<BotCaller>, operation: string, query: PagedQuery & Record<string, unknown>) {
  const { nextToken: _token, pageSize: _size, ...filters } = query
  return startOf(services, [`runtime.${operation}`, caller.botId, caller.integration?.alias ?? '', JSON.stringify(inOrder(filters))], query)
}

/** A client may write its filters in another order for the next page. */
const inOrder = (filters: object) => Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))

/** Of listings by time. */
export const timePosition = (position: string[] | null) => position && { at: new Date(position[0]!), id: position[1]! }

export const momentOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
