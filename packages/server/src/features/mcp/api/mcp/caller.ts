import type {
  CallToolResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { DeliveryServices } from '../../../../core/delivery/index.ts'
import type { Caller, Context } from '../../../../core/http/index.ts'
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

/** A request with messages of the protocol. */
export type McpContext = Pick<Context<unknown>, 'services' | 'request' | 'reply'>

/** What a server of the protocol offers. Its functions may throw ApiError and McpError. */
export interface Offer {
  name: string
  /** For the model that uses the tools. */
  instructions?: string
  listTools(cursor: string | undefined): Promise<{ tools: Tool[]; nextCursor?: string }>
  callTool(name: string, input: Record<string, unknown>): Promise<CallToolResult>
  resources?: {
    list(
      cursor: string | undefined,
    ): Promise<{ resources: Resource[]; nextCursor?: string }>
    templates: ResourceTemplate[]
    read(uri: string): Promise<ReadResourceResult>
  }
}

/** A bot that an MCP client uses. */
export type BotContext = Context<Caller<'bot'>, ToolServices>
