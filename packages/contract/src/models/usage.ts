import { type Static, Type as T } from 'typebox'
import { closed } from '../fields.ts'

export const usageTypes = [
  'invocation_timeout',
  'invocation_calls',
  'storage_count',
  'bot_count',
  'knowledgebase_vector_storage',
  'workspace_ratelimit',
  'table_row_count',
  'workspace_member_count',
  'integrations_owned_count',
  'ai_spend',
  'openai_spend',
  'bing_search_spend',
  'always_alive',
  'indexed_file_count',
  'file_max_size_bytes',
] as const
export type UsageType = (typeof usageTypes)[number]

/** What is counted. Bytes, seconds (`invocation_timeout`), requests a second (`workspace_ratelimit`), US dollars (`…_spend`), or how many. */
export const UsageKind = T.Enum([...usageTypes])

/** How much there may be, in a month where it is something that happens. 9007199254740991 stands for any number. */
const quota = { period: T.String(), value: T.Number(), type: UsageKind }
export const Quota = closed(quota)
export const ListedQuota = T.Object(quota)

/** `id` is whose it is: a workspace, or a bot. `period` is the first moment of a month. */
export const Usage = closed({
  id: T.String(),
  period: T.String(),
  value: T.Number(),
  quota: T.Number(),
  type: UsageKind,
})
export type Usage = Static<typeof Usage>
