// Clients and servers of the Model Context Protocol, made with its official library, and a plain
// server that answers as a test wants.
import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Connects the official client. */
export async function openMcpClient(
  url: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Transport,
  )
  return client
}

export interface TestServer {
  url: string
  requests: { method: string; headers: IncomingMessage['headers']; body: string }[]
  close(): Promise<void>
}

type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => unknown

/** A plain HTTP server. */
export async function openPlainServer(answer: Answer): Promise<TestServer> {
  const requests: TestServer['requests'] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    requests.push({ method: request.method!, headers: request.headers, body })
    response.on('error', () => {})
    await answer(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    close: () => end(server),
  }
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

interface Mode {
  /** Keeps sessions. */
  sessions?: boolean
  /** Answers with JSON instead of a stream. */
  json?: boolean
}

/** A server made with the official library; `make` returns one for each session. */
export async function openMcpServer(
  make: () => McpServer,
  { sessions = false, json = false }: Mode = {},
): Promise<TestServer> {
  const open = new Map<string, StreamableHTTPServerTransport>()
  const transportFor = async (request: IncomingMessage) => {
    const known = open.get(String(request.headers['mcp-session-id']))
    if (known) return known
    const made = new StreamableHTTPServerTransport({
      enableJsonResponse: json,
      ...(sessions && {
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id: string) => void open.set(id, made),
        onsessionclosed: (id: string) => void open.delete(id),
      }),
    })
    await make().connect(made as Transport)
    return made
  }
  return openPlainServer(async (request, response, body) => {
    const transport = await transportFor(request)
    await transport.handleRequest(
      request,
      response,
      body === '' ? undefined : JSON.parse(body),
    )
  })
}
