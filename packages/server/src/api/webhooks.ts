// Third parties call integrations: /webhooks/{webhookId}/*. The request is handed on as it came, as text, in the body of our own request,
// and the integration's answer is the answer.
import { ApiError, webhookBodyLimit } from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readAll, refuseEncodings } from '../http/body.ts'
import { inRequest } from '../http/observe.ts'
import { countWebhook } from '../http/rate-limits.ts'
import { findInstallationByWebhook } from '../integrations/installations.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import type { Services } from '../services.ts'

/** Headers that speak of the connection, not of the message, and those that would make the browser trust our origin. */
const notHandedOn = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-authenticate',
  'content-length',
  'set-cookie',
  'date',
])

export function answerWebhooks(server: FastifyInstance, services: Services) {
  const answer = (request: FastifyRequest, reply: FastifyReply) => inRequest(request, () => handOn(services, request, reply))
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all('/webhooks/:webhookId', answer)
    scope.all('/webhooks/:webhookId/*', answer)
  })
}

async function handOn(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const { db, invoker } = services
  const { webhookId, '*': rest } = request.params as { webhookId: string; '*'?: string }
  const installation = await findInstallationByWebhook(db, webhookId)
  if (!installation?.enabled || installation.builtIn) throw new ApiError('ResourceNotFound', 'There is no integration at this address')
  countWebhook(services, installation.bot_id, reply)
  const body = await readAll(request.raw, webhookBodyLimit)
  refuseEncodings(request)
  const [, query = ''] = request.url.split('?', 2)
  const req = { method: request.method, path: `/${rest ?? ''}`, query, headers: request.headers, ...(body.length > 0 && { body: body.toString('utf8') }) }
  const target = { botId: installation.bot_id, alias: installation.alias }
  const answer = await invoker.invoke({ target, operation: 'webhook_received', type: 'webhook_received', body: { req }, cause: null }).catch(explain)
  for (const [name, value] of Object.entries(answer.headers)) if (!notHandedOn.has(name.toLowerCase())) reply.header(name, value)
  return reply.code(answer.status).send(answer.body)
}

function explain(error: unknown): never {
  if (!(error instanceof InvocationFailed)) throw error
  if (error.reason === 'timeout') throw new ApiError('OperationTimeout', 'The integration did not answer in time')
  if (error.reason === 'no-code') throw new ApiError('ResourceNotFound', 'There is no integration at this address')
  throw new ApiError('Runtime', `The integration could not be reached: ${error.message}`)
}
