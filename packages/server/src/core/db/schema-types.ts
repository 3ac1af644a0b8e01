// Column types that schema.ts uses and that the database does not define. Values are as the driver
// returns them: bigint as string, timestamptz as Date, bytea as Buffer.
import type {
  AnswerButton,
  AuditAction,
  BroadcastAudience,
  BroadcastMessage,
  BurstRules,
  CheckResult,
  ErasureReceipt,
  HandoffRules,
  OptOutWords,
  PersonalDataKind,
  QuietHours,
  RedactionRule,
  RetentionDays,
} from '@botstead/contract'
import type { ColumnType } from 'kysely'
import type { Json } from './json.ts'

/** A bigint: read as a string, written as a number or string. */
export type Big = ColumnType<string, string | number, string | number>

/** A json or jsonb column: read as T, written as `toJson(value)`. */
export type JsonColumn<T> = ColumnType<T, Json<T>, Json<T>>

/** A column with a default. Unlike Kysely's type, also accepts a ColumnType. */
export type Generated<T> = [T] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>

/** A column that the database computes. */
export type Computed<T> = ColumnType<T, never, never>

type Texts = Record<string, string>
type Values = Record<string, unknown>
type RetiredSecrets = { secret: string; until: string }[]
type PluginIntegrations = Record<
  string,
  { integrationId: string; integrationAlias: string }
>
type PluginInterfaces = Record<
  string,
  {
    integrationId: string
    integrationAlias: string
    integrationInterfaceAlias: string
    interfaceId: string
  }
>

/**
 * The type of every json and jsonb column, and of text columns with a fixed set of values that no
 * constraint of the form `check (column in (…))` lists. One line each: scripts/schema.js reads the
 * names.
 */
export interface ColumnTypes {
  'account_preference.value': unknown
  'action_run.input': unknown
  'action_run.output': unknown
  'analytics_day.record': unknown
  'audit_record.action': AuditAction
  'bot.burst_rules': BurstRules
  'bot.definition': Values
  'bot.handoff_rules': HandoffRules
  'bot.redaction': RedactionRule[]
  'bot.retention': RetentionDays
  'bot.retired_signing_secrets': RetiredSecrets
  'bot.secrets': Texts
  'bot.tags': Texts
  'bot_mcp_server.tools': unknown
  'bot_plugin.definition': unknown
  'bot_plugin.integrations': PluginIntegrations
  'bot_plugin.interfaces': PluginInterfaces
  'event_trace.calls': unknown
  'event_trace.changes': unknown
  'model_provider.models': unknown
  'bot_table.columns': unknown
  'bot_table.schema': unknown
  'bot_table.tags': Texts
  'broadcast.audience': BroadcastAudience
  'broadcast.message': BroadcastMessage
  'broadcast.quiet_hours': QuietHours
  'broadcast_recipient.variables': Values
  'broadcast_words.words': OptOutWords
  'copilot_run.messages': unknown
  'copilot_run.steps': unknown
  'conversation.properties': Texts
  'conversation.tags': Texts
  'erasure.counts': Partial<Record<PersonalDataKind, number>>
  'curated_answer.buttons': AnswerButton[]
  'erasure.receipt': ErasureReceipt
  'event.payload': unknown
  'file.indexing': unknown
  'file.metadata': Values
  'file.owner': unknown
  'file.tags': Texts
  'file_index.configuration': unknown
  'installation.sandbox_identifiers': unknown
  'integration.attributes': Texts
  'integration.definition': Values
  'interface.definition': unknown
  'issue.grouped_data': unknown
  'issue_event.data': unknown
  'handoff.tags': Texts
  'knowledge_base.tags': Texts
  'knowledge_check.previous_result': CheckResult
  'knowledge_check.result': CheckResult
  'message.payload': unknown
  'move_change.key': Values
  'message.tags': Texts
  'observation.data': unknown
  'package_line.secrets': Texts
  'plugin.definition': unknown
  'recurring_event.payload': unknown
  'server_setting.value': unknown
  'scheduled_message.payload': unknown
  'scheduled_message.tags': Texts
  'signal.data': unknown
  'state.payload': Values
  'state_layer.payload': Values
  'state_layer.written': Record<string, number>
  'table_job.task': unknown
  'table_job.rejected': unknown
  'table_row.computed': unknown
  'table_row.data': unknown
  'tag_value.kind': 'user' | 'conversation' | 'message'
  'told_change.body': unknown
  'user.attributes': Texts
  'user.data': Values
  'user.properties': Texts
  'user.tags': Texts
  'webhook_request.content': Values
  'workflow.input': unknown
  'workflow.output': unknown
  'workflow.tags': Texts
  'workspace.profile': Values
  'workspace_preference.value': unknown
}
