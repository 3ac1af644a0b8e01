import type { DeliveryServices } from '../../../../core/delivery/index.ts'
import type { BotCaller, Context } from '../../../../core/http/index.ts'
import type { MessagingServices } from '../../../../core/messaging/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import type { UsageServices } from '../../../../core/usage/index.ts'
import type { KnowledgeServices } from '../../../knowledge/index.ts'

export type ToolServices = DeliveryServices &
  KnowledgeServices &
  MessagingServices &
  QueueServices &
  RealtimeServices &
  UsageServices

/** A bot that an MCP client uses. */
export type Caller = Context<BotCaller, ToolServices>
