// All services that handlers receive, and how they behave inside of a transaction.

import { type AccountServices, accountsModule } from '../core/accounts/index.ts'
import { type AuditServices, auditModule } from '../core/audit/index.ts'
import { type BotServices, botsModule } from '../core/bots/index.ts'
import { catalogModule } from '../core/catalog/index.ts'
import type { Bindings } from '../core/db/index.ts'
import { type DeliveryServices, deliveryModule } from '../core/delivery/index.ts'
import { type BlobServices, filesModule } from '../core/files/index.ts'
import { type HttpServices, httpModule } from '../core/http/index.ts'
import type { TransactionServices } from '../core/idempotency/index.ts'
import { type MessagingServices, messagingModule } from '../core/messaging/index.ts'
import { type OutgoingServices, outgoingModule } from '../core/outgoing/index.ts'
import { type QueueServices, queueModule } from '../core/queue/index.ts'
import { type RealtimeServices, realtimeModule } from '../core/realtime/index.ts'
import { type TableRuleServices, tableRulesModule } from '../core/table-rules/index.ts'
import { type TableServices, tablesModule } from '../core/tables/index.ts'
import { type UsageServices, usageModule } from '../core/usage/index.ts'
import { workflowsModule } from '../core/workflows/index.ts'
import { archive } from '../features/archive/index.ts'
import { broadcasts } from '../features/broadcasts/index.ts'
import { channels } from '../features/channels/index.ts'
import { insights } from '../features/insights/index.ts'
import { knowledge } from '../features/knowledge/index.ts'
import { mcp } from '../features/mcp/index.ts'
import { type ModelServices, models } from '../features/models/index.ts'
import { operator } from '../features/operator/index.ts'
import {
  type ServerSettingServices,
  serverSettings,
} from '../features/server-settings/index.ts'
import { sharedAddresses } from '../features/shared-addresses/index.ts'
import { signIn } from '../features/sign-in/index.ts'
import { webhookDiary } from '../features/webhook-diary/index.ts'
import type { Hooks } from './hooks.ts'

/** The services of a feature, which it opens. */
type FeatureServices<Feature extends { open(...deps: never): unknown }> = Extract<
  Awaited<ReturnType<Feature['open']>>,
  { services: object }
>['services']

export type AllServices = { hooks: Hooks } & HttpServices &
  AccountServices &
  AuditServices &
  BlobServices &
  BotServices &
  QueueServices &
  RealtimeServices &
  MessagingServices &
  OutgoingServices &
  DeliveryServices &
  TableRuleServices &
  TableServices &
  UsageServices &
  ModelServices &
  FeatureServices<typeof archive> &
  FeatureServices<typeof broadcasts> &
  FeatureServices<typeof channels> &
  FeatureServices<typeof insights> &
  FeatureServices<typeof knowledge> &
  FeatureServices<typeof mcp> &
  FeatureServices<typeof operator> &
  FeatureServices<typeof sharedAddresses> &
  FeatureServices<typeof signIn> &
  FeatureServices<typeof webhookDiary> &
  ServerSettingServices

/** A service that uses others comes after them. */
export const bindings: Bindings<
  Omit<AllServices, keyof TransactionServices<AllServices>>
> = {
  ...httpModule.bindings,
  ...accountsModule.bindings,
  ...auditModule.bindings,
  ...botsModule.bindings,
  ...catalogModule.bindings,
  ...filesModule.bindings,
  ...queueModule.bindings,
  ...realtimeModule.bindings,
  ...messagingModule.bindings,
  ...outgoingModule.bindings,
  ...deliveryModule.bindings,
  ...tableRulesModule.bindings,
  ...tablesModule.bindings,
  ...usageModule.bindings,
  ...workflowsModule.bindings,
  ...archive.bindings,
  ...broadcasts.bindings,
  ...channels.bindings,
  ...insights.bindings,
  ...knowledge.bindings,
  ...mcp.bindings,
  ...models.bindings,
  ...operator.bindings,
  ...serverSettings.bindings,
  ...sharedAddresses.bindings,
  ...signIn.bindings,
  ...webhookDiary.bindings,
}
