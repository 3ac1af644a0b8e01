import type { BotCaller, Context } from '../../../../core/http/services.ts'
import type { KnowledgeServices } from '../../../knowledge/services.ts'

/** A bot that an MCP client uses. */
export type Caller = Context<BotCaller, KnowledgeServices>
