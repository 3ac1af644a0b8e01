// The MCP server of each bot, at /mcp/{botId}. It has no sessions: each message is answered on its
// own, so any server of an installation may answer it.
import { ApiError, type Handlers, type mcp } from '@botstead/contract'
import type { FastifyInstance } from 'fastify'
import { type Contexts, operated } from '../../../../core/http/index.ts'
import type { McpContext, ToolServices } from './caller.ts'

export const messages: Handlers<typeof mcp.messages, Contexts<ToolServices>> = {
  async sendMcpMessage(context, { body }) {
    operated(context.caller)
    rejectOtherOrigins(context)
    // Loads the protocol's library with the first message.
    const { answerBotMessage } = await import('./bot-offer.ts')
    await answerBotMessage(context, body)
    return undefined as never
  },
}

/**
 * Pages of other origins could reach a server in the network of their visitor. Throws Forbidden.
 * The header `host` does not count: such pages control its value by their own DNS.
 */
export function rejectOtherOrigins({ services, request }: McpContext) {
  const { origin } = request.headers
  if (!origin || services.config.corsOrigins.includes(origin)) return
  if (origin === new URL(services.publicUrl()).origin) return
  throw new ApiError(
    'Forbidden',
    `Pages of the origin "${origin.slice(0, 100)}" may not call this API: add it to ` +
      'BOTSTEAD_CORS_ORIGINS',
  )
}

/** Clients try to open a stream and to end a session. They know by 405 that there is neither. */
export function rejectMcpStreams(server: FastifyInstance) {
  server.route({
    method: ['GET', 'DELETE'],
    url: '/mcp/:botId',
    config: { operationId: 'rejectMcpStream', family: 'mcp' },
    handler(_request, reply) {
      reply.header('allow', 'POST')
      throw new ApiError(
        'MethodNotFound',
        'Send messages with POST: there are no sessions',
      )
    },
  })
}
