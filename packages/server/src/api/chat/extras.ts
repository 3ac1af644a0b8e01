// Routes of the Chat API beside its operations: the greeting with which the official client tests a
// URL, and the OpenAPI document.
import { toOpenApi } from '@botstead/contract'
import type { FastifyInstance } from 'fastify'
import { admit } from '../../http/authenticate.ts'
import type { Services } from '../../http/services.ts'

const chatAccess = { access: 'chat', path: '' } as const

export function serveExtras(server: FastifyInstance, services: Services) {
  const onRequest = async (request: Parameters<typeof admit>[2]) =>
    void (await admit(services, chatAccess, request))
  server.get('/chat/:webhookId/hello', { onRequest }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('Hello from Botstead'),
  )
  const description = JSON.stringify(toOpenApi('chat'))
  server.get('/chat/:webhookId/openapi.json', { onRequest }, async (_request, reply) =>
    reply.type('application/json').send(description),
  )
}
