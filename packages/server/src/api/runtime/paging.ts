import type { BotCaller, Context } from '../../http/services.ts'
import { type PagedQuery, pageInBot } from '../paging.ts'

export const runtimePage = (
  context: Context<BotCaller>,
  operation: string,
  query: PagedQuery & Record<string, unknown>,
) => pageInBot(context, `runtime.${operation}`, query)

/** For listings by time. */
export const timePosition = (position: string[] | null) =>
  position && { at: new Date(position[0]!), id: position[1]! }
