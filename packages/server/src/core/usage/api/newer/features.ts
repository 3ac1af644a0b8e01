// Maps the feature names of newer clients to the usage types of usage/.
import type { BillingFeature, UsageType } from '@botstead/contract'
import type { Limits } from '../../../config/index.ts'
import { getQuota, unlimited } from '../../quotas.ts'

/** Null for features that are not counted. */
const typeByFeature: Record<BillingFeature, UsageType | null> = {
  incoming_messages_events: 'invocation_calls',
  integration_spend: null,
  table_rows: 'table_row_count',
  bot_count: 'bot_count',
  collaborator_count: 'workspace_member_count',
  file_storage: 'storage_count',
  vector_db_storage: 'knowledgebase_vector_storage',
  saved_versions: null,
  indexed_file_count: 'indexed_file_count',
  conversation_sessions: null,
  ai_spend: 'ai_spend',
}

export const countedAs = (feature: BillingFeature) => typeByFeature[feature]

export const quotaOfFeature = (limits: Limits, feature: BillingFeature): number => {
  const type = typeByFeature[feature]
  return type ? getQuota(limits, type) : unlimited
}
