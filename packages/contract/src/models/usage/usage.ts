import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'

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

/**
 * Types of usage. Units are bytes, seconds (`invocation_timeout`), requests per second
 * (`workspace_ratelimit`), US dollars (`…_spend`), or a count.
 */
export const UsageKind = T.Enum([...usageTypes])

/** The limit of a usage; per month for usages that accumulate. 9007199254740991 means unlimited. */
const quota = { period: T.String(), value: T.Number(), type: UsageKind }
/** @component */
export const Quota = closed(quota)
/** @component */
export const ListedQuota = T.Object(quota)

/** A usage in one month. `id` is a workspace or bot id; `period` is the start of the month. @component */
export const Usage = closed({
  id: T.String(),
  period: T.String(),
  value: T.Number(),
  quota: T.Number(),
  type: UsageKind,
})
export type Usage = Static<typeof Usage>
