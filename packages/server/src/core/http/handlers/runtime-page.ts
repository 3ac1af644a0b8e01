import type { BotCaller } from '../callers/callers.ts'
import type { Context } from '../services.ts'
import { type PagedQuery, pageInBot } from './paging.ts'

export const runtimePage = (
  context: Context<BotCaller>,
  operation: string,
  query: PagedQuery & Record<string, unknown>,
) => pageInBot(context, `runtime.${operation}`, query)
