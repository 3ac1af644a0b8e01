// Pages of the platform's listings. A token holds for one bot, one operation and one set of filters.
import type { BotCaller, Context } from '../../services.ts'
import { startOf } from '../paging.ts'

interface PagedQuery {
  nextToken?: string
  pageSize?: number
}

/** The handler reads `limit + 1` rows, from `position` on. */
export function pageFor({ services, caller }: Context<BotCaller>, operation: string, query: PagedQuery & Record<string, unknown>) {
  const { nextToken: _token, pageSize: _size, ...filters } = query
  const inOrder = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return startOf(services, [`platform.${operation}`, caller.botId, JSON.stringify(inOrder)], query)
}
