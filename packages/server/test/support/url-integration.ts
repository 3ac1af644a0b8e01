// An integration at a URL that records its requests and responds as the test says.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { toJson } from '../../src/core/db/json.ts'
import { newId } from '../../src/core/lib/ids.ts'
import type { Scene } from './scene.ts'

/** Of `webhook_received`: the request of the third party. */
export interface ForwardedRequest {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body?: string
  bodyBase64?: string
}
export interface IntegrationCall {
  headers: IncomingMessage['headers']
  raw: Buffer
}
export type Answering = (
  call: IntegrationCall,
  response: ServerResponse,
  request: IncomingMessage,
) => unknown

export interface UrlIntegration {
  integrationId: string
  calls: IntegrationCall[]
  /** Webhook requests that the server forwarded. */
  forwarded(): ForwardedRequest[]
  answer: Answering
  /** Installs it in another bot or under another alias; returns the webhook id. */
  install(botId: string, alias: string): Promise<string>
  close(): void
}

interface Details {
  name: string
  version?: string
  /** By default the scene's. */
  workspaceId?: string
  definition?: Record<string, unknown>
}

export async function openIntegration(
  scene: Scene,
  { name, version = '1.0.0', workspaceId = scene.workspaceId, definition }: Details,
): Promise<UrlIntegration> {
  const calls: IntegrationCall[] = []
  const server = createServer(async (request, response) => {
    const raw = await buffer(request).catch(() => null)
    if (!raw) return // the caller has disconnected
    const call = { headers: request.headers, raw }
    calls.push(call)
    await integration.answer(call, response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { db, secrets } = scene.app.services
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const integrationId = newId('integration')
  const shown = {
    title: name,
    description: '',
    iconUrl: '',
    visibility: 'private',
    verificationStatus: 'unapproved',
    lifecycleStatus: 'published',
  }
  await db
    .insertInto('integration')
    .values({
      id: integrationId,
      workspace_id: workspaceId,
      name,
      version,
      url,
      definition: toJson({ ...shown, ...definition }),
    })
    .execute()
  const integration: UrlIntegration = {
    integrationId,
    calls,
    forwarded: () =>
      calls
        .filter(({ headers }) => headers['x-bp-operation'] === 'webhook_received')
        .map(({ raw }) => JSON.parse(raw.toString()).req),
    answer: (_call, response) => response.end('heard'),
    async install(botId, alias) {
      const webhookId = randomUUID()
      const configuration = await secrets.seal(
        null,
        '{}',
        `installation.configuration/${botId}/${alias}`,
      )
      await db
        .insertInto('installation')
        .values({
          bot_id: botId,
          alias,
          integration_id: integrationId,
          webhook_id: webhookId,
          configuration,
          status: 'registered',
        })
        .execute()
      return webhookId
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return integration
}
