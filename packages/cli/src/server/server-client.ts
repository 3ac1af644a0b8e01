// The typed client of the server, with the time limit and the retries of the command line.
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Client,
  createClient,
  RequestError,
  type Routes,
  toRoutes,
  Unreachable,
} from '@botstead/client'
import { families } from '@botstead/contract'

/** Relative to a chat's address up to its webhook id, which need not be the server's own. */
const chatRoutes = toRoutes({
  ...families,
  chat: { ...families.chat, prefix: '/{webhookId}' },
})

export const openClient = (url: string, headers: Record<string, string>): Client =>
  open(toRoutes(families), url, headers)

/** `chatUrl`: such as `http://127.0.0.1:4000/chat/<webhookId>`. */
export function openChatClient(chatUrl: string): {
  chat: Client['chat']
  webhookId: string
} {
  const end = chatUrl.lastIndexOf('/')
  const webhookId = decodeURIComponent(chatUrl.slice(end + 1))
  return { chat: open(chatRoutes, chatUrl.slice(0, end)).chat, webhookId }
}

const open = (routes: Routes, url: string, headers: Record<string, string> = {}) =>
  createClient({
    routes,
    url,
    headers,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        signal: init?.signal ?? AbortSignal.timeout(60_000),
      }).catch((error) => {
        const { origin } = new URL(url)
        throw new Error(
          `no response from ${origin} (${toReason(error)}); check that the server is running`,
        )
      }),
  })

function toReason(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? (name === 'TimeoutError' ? 'timeout' : message)
}

/** Repeats an idempotent call after 429, 5xx and connection errors, up to `attempts` times. */
export async function retry<Answer>(
  attempts: number,
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!isTransient(error) || attempt >= attempts) throw error
      await pause(Math.min(5_000, 300 * 2 ** attempt))
    }
  }
}

const isTransient = (error: unknown) =>
  error instanceof Unreachable ||
  (error instanceof RequestError && (error.status >= 500 || error.status === 429))
