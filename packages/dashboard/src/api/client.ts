// Requests of the dashboard. The session's cookie counts only together with the header below, which
// pages of other origins cannot send.

import { routes } from 'virtual:routes'
import { type Client, createClient } from '@botstead/client'

interface Scope {
  workspaceId?: string | undefined
  botId?: string | undefined
}

const clients = new Map<string, Client>()

/** Returns the client for requests about this workspace and bot. */
export function clientFor({ workspaceId, botId }: Scope = {}): Client {
  const key = `${workspaceId} ${botId}`
  const known = clients.get(key)
  if (known) return known
  const client = createClient({
    routes,
    fetch: fetchWithLargeBody,
    headers: {
      'x-botstead-session': '1',
      'x-multiple-integrations': 'true',
      ...(workspaceId && { 'x-workspace-id': workspaceId }),
      ...(botId && { 'x-bot-id': botId }),
    },
  })
  clients.set(key, client)
  return client
}

/** In characters. From here on, the browser takes milliseconds of the page's thread to encode a text. */
const largeBody = 50_000

/** Lets the browser encode a large body outside of the page's thread. */
const fetchWithLargeBody: typeof fetch = (url, request) => {
  const body = request?.body
  const isLarge = typeof body === 'string' && body.length > largeBody
  return fetch(url, isLarge ? { ...request, body: new Blob([body]) } : request)
}
