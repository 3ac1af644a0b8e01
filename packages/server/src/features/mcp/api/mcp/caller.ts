import type { BotCaller, Context } from '../../../../core/http/index.ts'
import type { KnowledgeServices } from '../../../knowledge/index.ts'

/** A bot that an MCP client uses. */
export type Caller = Context<BotCaller, KnowledgeServices>
