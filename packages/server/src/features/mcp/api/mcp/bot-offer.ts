// What the MCP server of a bot offers. Loaded on demand, with the protocol's library.
import type { BotContext, Offer } from './caller.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import { answerMessage } from './server.ts'
import { callTool, listTools } from './tools.ts'

export const answerBotMessage = (context: BotContext, body: unknown): Promise<void> =>
  answerMessage(context, toOffer(context), body)

const toOffer = (context: BotContext): Offer => ({
  name: `botstead-${context.caller.botId}`,
  listTools: (cursor) => listTools(context, cursor),
  callTool: (name, input) => callTool(context, name, input),
  resources: {
    list: (cursor) => listResources(context, cursor),
    templates: [...resourceTemplates],
    read: (uri) => readResource(context, uri),
  },
})
