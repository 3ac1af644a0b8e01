// All services that handlers receive, and how they behave inside of a transaction.

import { accountBindings } from '../core/accounts/index.ts'
import { auditBindings } from '../core/audit/index.ts'
import { type BlobServices, blobBindings } from '../core/blobs/index.ts'
import { type BotServices, botBindings } from '../core/bots/index.ts'
import { type CatalogServices, catalogBindings } from '../core/catalog/index.ts'
import type { Bindings } from '../core/db/index.ts'
import { type DeliveryServices, deliveryBindings } from '../core/delivery/index.ts'
import { type FileServices, fileBindings } from '../core/files/index.ts'
import { type HttpServices, httpBindings, serviceBindings } from '../core/http/index.ts'
import type { TransactionServices } from '../core/idempotency/index.ts'
import { type MessagingServices, messagingBindings } from '../core/messaging/index.ts'
import { type OutgoingServices, outgoingBindings } from '../core/outgoing/index.ts'
import { type QueueServices, queueBindings } from '../core/queue/index.ts'
import { rateBindings } from '../core/rates/index.ts'
import { type RealtimeServices, realtimeBindings } from '../core/realtime/index.ts'
import { type TableRuleServices, tableRuleBindings } from '../core/table-rules/index.ts'
import { type TableServices, tableBindings } from '../core/tables/index.ts'
import { type UsageServices, usageBindings } from '../core/usage/index.ts'
import { type WorkflowServices, workflowBindings } from '../core/workflows/index.ts'
import { type ArchiveServices, archiveBindings } from '../features/archive/index.ts'
import { type BroadcastServices, broadcastBindings } from '../features/broadcasts/index.ts'
import { type ChannelServices, channelBindings } from '../features/channels/index.ts'
import { type InsightServices, insightBindings } from '../features/insights/index.ts'
import { type KnowledgeServices, knowledgeBindings } from '../features/knowledge/index.ts'
import { type McpServices, mcpBindings } from '../features/mcp/index.ts'
import { type ModelServices, modelBindings } from '../features/models/index.ts'
import { type MoveServices, moveBindings } from '../features/moves/index.ts'
import { type OperatorServices, operatorBindings } from '../features/operator/index.ts'
import {
  type ServerSettingServices,
  serverSettingBindings,
} from '../features/server-settings/index.ts'
import { type ScriptServices, scriptBindings } from '../features/shared-addresses/index.ts'
import { type SignInServices, signInBindings } from '../features/sign-in/index.ts'
import { type WebhookDiaryServices, webhookDiaryBindings } from '../features/webhook-diary/index.ts'

export type AllServices = HttpServices &
  BlobServices &
  BotServices &
  CatalogServices &
  FileServices &
  QueueServices &
  RealtimeServices &
  MessagingServices &
  OutgoingServices &
  DeliveryServices &
  TableRuleServices &
  TableServices &
  UsageServices &
  WorkflowServices &
  ArchiveServices &
  BroadcastServices &
  ChannelServices &
  InsightServices &
  KnowledgeServices &
  McpServices &
  ModelServices &
  MoveServices &
  OperatorServices &
  ScriptServices &
  ServerSettingServices &
  SignInServices &
  WebhookDiaryServices

/** A service that uses others comes after them. */
export const bindings: Bindings<Omit<AllServices, keyof TransactionServices<AllServices>>> = {
  ...serviceBindings,
  ...httpBindings,
  ...accountBindings,
  ...auditBindings,
  ...rateBindings,
  ...blobBindings,
  ...botBindings,
  ...catalogBindings,
  ...fileBindings,
  ...queueBindings,
  ...realtimeBindings,
  ...messagingBindings,
  ...outgoingBindings,
  ...deliveryBindings,
  ...tableRuleBindings,
  ...tableBindings,
  ...usageBindings,
  ...workflowBindings,
  ...archiveBindings,
  ...broadcastBindings,
  ...channelBindings,
  ...insightBindings,
  ...knowledgeBindings,
  ...mcpBindings,
  ...modelBindings,
  ...moveBindings,
  ...operatorBindings,
  ...scriptBindings,
  ...serverSettingBindings,
  ...signInBindings,
  ...webhookDiaryBindings,
}
