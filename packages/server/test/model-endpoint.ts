// An endpoint that speaks like OpenAI's, in the test's own process: what it is asked, and what it answers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface ModelEndpoint {
  /** To be set as that of embeddings, or of the model. */
  url: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  asked: { path: string; key: string | undefined; body: any }[]
  close(): void
}

type Said = { status?: number; headers?: Record<string, string>; body: unknown }

// biome-ignore lint/suspicious/noExplicitAny: whatever was sent
export async function openModelEndpoint(answer: (body: any) => Said | Promise<Said>): Promise<ModelEndpoint> {
  const asked: ModelEndpoint['asked'] = []
  const server = createServer(async (request, reply) => {
    const body = await json(request)
    asked.push({ path: request.url!, key: request.headers.authorization, body })
    const { status = 200, headers = {}, body: said } = await answer(body)
    reply.writeHead(status, headers).end(JSON.stringify(said))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close: () => void server.close() }
}
