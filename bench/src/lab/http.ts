// Requests of people and bots in the laboratory. A request without a response is a result, not an
// error, and no request is repeated here.
import { Agent, type Dispatcher, request } from 'undici'

interface Answer<Body> {
  /** Null without a response. */
  status: number | null
  body: Body | null
  timedOut?: boolean
}

/** Long enough for a machine that is busy with other work. */
const responseMs = 30_000
const agent = new Agent({ connections: 64, pipelining: 1, connect: { timeout: 5_000 } })
export const streams = new Agent({ bodyTimeout: 0, headersTimeout: responseMs })

export async function call<Body = unknown>(
  method: Dispatcher.HttpMethod,
  url: string,
  headers: Record<string, string> = {},
  body?: unknown,
  timeoutMs = responseMs,
): Promise<Answer<Body>> {
  try {
    const reply = await request(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      dispatcher: agent,
    })
    return { status: reply.statusCode, body: parsed<Body>(await reply.body.text()) }
  } catch (error) {
    const timedOut = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(
      (error as NodeJS.ErrnoException).code!,
    )
    return { status: null, body: null, timedOut }
  }
}

/** Returns null for a text that is not JSON, such as the error page of a proxy. */
function parsed<Body>(text: string): Body | null {
  try {
    return JSON.parse(text) as Body
  } catch {
    return null
  }
}

/** Calls, and throws unless the response has a 2xx status. */
export async function demand<Body>(...request: Parameters<typeof call>): Promise<Body> {
  const { status, body } = await call<Body>(...request)
  if (status === null || status >= 300 || body === null)
    throw new Error(
      `${request[0]} ${request[1]} returned ${status}: ${JSON.stringify(body)}`,
    )
  return body
}

export const closeConnections = () => Promise.all([agent.destroy(), streams.destroy()])
