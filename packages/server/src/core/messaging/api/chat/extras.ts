// Routes of the chats beside their operations: the greeting with which the official client tests a
// URL, the OpenAPI document, and the settings of webchats and of the chat page.
import { ApiError, toOpenApi } from '@botstead/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { botStore } from '../../../bots/index.ts'
import { authentication, chooseLanguage, type HttpServices } from '../../../http/index.ts'
import { initCall } from '../../chat/webchat-code.ts'
import type { ChatGreeting } from '../../hooks.ts'
import type { MessagingServices } from '../../services.ts'

const chatAccess = { access: 'chat', path: '' } as const

export function serveExtras(
  server: FastifyInstance,
  services: HttpServices & MessagingServices,
) {
  const onRequest = async (request: Parameters<typeof authentication.admit>[2]) =>
    void (await authentication.admit(services, chatAccess, request))
  server.get('/chat/:webhookId/hello', { onRequest }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('Hello from Botstead'),
  )
  const description = JSON.stringify(toOpenApi('chat'))
  server.get('/chat/:webhookId/openapi.json', { onRequest }, async (_request, reply) =>
    reply.type('application/json').send(description),
  )
  server.get('/webchat/:webhookId/config.js', { onRequest }, async (request, reply) => {
    const { webhookId, bot } = await findChatBot(services, request)
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(`${initCall({ botId: bot.id, clientId: webhookId, botName: bot.name })}\n`)
  })
  /** Accepts the id of the bot, too. */
  const findChat = async (request: Parameters<typeof authentication.admit>[2]) => {
    const params = request.params as { webhookId: string }
    params.webhookId =
      (await services.callers.chatId(params.webhookId)) ?? params.webhookId
  }
  const settings = { onRequest: [findChat, onRequest] }
  server.get('/webchat/:webhookId/settings.json', settings, async (request, reply) => {
    const { webhookId, bot, appearance, needsUserKey } = await findChatBot(
      services,
      request,
    )
    const { name = bot.name, ...look } = appearance
    return reply.header('cache-control', 'no-store').send({
      chatUrl: `/chat/${webhookId}`,
      botId: bot.id,
      botName: name,
      ...(needsUserKey && { needsUserKey }),
      ...(look.greeting === undefined && (await findGreeting(services, bot.id, request))),
      ...look,
    })
  })
}

/** Returns what the bot says first, in the language of the visitor; null if only a conversation shows it. */
async function findGreeting(
  { hooks }: MessagingServices,
  botId: string,
  request: FastifyRequest,
): Promise<ChatGreeting | null> {
  for (const find of hooks.findGreetings) {
    const greetings = await find(botId)
    // The bot knows the language of the browser, not that of the dashboard in a cookie.
    const headers = { 'accept-language': request.headers['accept-language'] }
    const found = greetings[chooseLanguage(Object.keys(greetings), { headers })]
    if (found) return found
  }
  return null
}

async function findChatBot({ callers, db }: HttpServices, request: FastifyRequest) {
  const { webhookId } = request.params as { webhookId: string }
  const { botId, appearance, encryptionKey } = (await callers.chat(webhookId))!
  const bot = await botStore.findById(db, botId)
  if (!bot) throw new ApiError('ResourceNotFound', 'There is no chat at this address')
  return { webhookId, bot, appearance, needsUserKey: encryptionKey !== '' }
}
