// Converts a handler's result, or its error, to the response to the server.
import type { SentResponse } from '../runner/frames.ts'
import type { HandlerRequest } from '../sandbox.ts'
import type { Handler, ServerlessContext } from './handler.ts'
import { invocations } from './invocations.ts'
import { hidingMessage } from './marked-lines.ts'

/** Applies the defaults of the SDK's own HTTP server, and its response to a thrown error. */
export async function respond(
  handler: Handler,
  request: HandlerRequest,
  context: ServerlessContext,
): Promise<SentResponse> {
  try {
    const result = ((await handler(request, context)) ?? {}) as {
      status?: unknown
      headers?: unknown
      body?: unknown
    }
    return {
      status: validStatus(result.status ?? 200),
      headers: textHeaders(result.headers),
      ...withHiddenError(request, encodeBody(result.body ?? emptyBody(request))),
    }
  } catch (error) {
    console.error(error)
    return {
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: describe(error), ...getStack(error) }),
      threw: true,
    }
  }
}

/**
 * The response to a third party stays empty: some send any text on to people. Other responses are
 * read as JSON.
 */
const emptyBody = ({ headers }: HandlerRequest) =>
  headers['x-bp-operation'] === 'webhook_received' ? '' : '{}'

/**
 * Puts the error into the response, without its stack. Only for events and `register`: their
 * responses are for the server, those of actions are for the caller.
 */
function withHiddenError(
  { headers }: HandlerRequest,
  response: Pick<SentResponse, 'body' | 'base64'>,
): Pick<SentResponse, 'body' | 'base64'> {
  const logged = invocations.getStore()?.hiddenError
  const operation = headers['x-bp-operation']
  if (!logged || (operation !== 'event_received' && operation !== 'register'))
    return response
  try {
    const reply = JSON.parse(response.body)
    if (reply.message !== hidingMessage) return response
    const text: string = logged.startsWith('{') ? JSON.parse(logged).msg : logged
    const [error] = text
      .slice(text.indexOf(hidingMessage) + hidingMessage.length)
      .split('\n    at ')
    const message = error?.trim() || hidingMessage
    return { body: JSON.stringify({ ...reply, message }) }
  } catch {
    return response
  }
}

function validStatus(status: unknown): number {
  if (Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599)
    return status as number
  throw new TypeError(
    `The handler returned the status ${String(status)}: return an integer from 200 to 599`,
  )
}

function textHeaders(given: unknown): Record<string, string> {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    entries
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  )
}

/** Encodes bytes as base64, because frames are JSON text. */
function encodeBody(body: unknown): Pick<SentResponse, 'body' | 'base64'> {
  if (typeof body === 'string') return { body }
  return body instanceof Uint8Array
    ? { body: Buffer.from(body).toString('base64'), base64: true }
    : { body: JSON.stringify(body) }
}

export function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** The stack is shown only to the bot's owner. */
const getStack = (error: unknown) =>
  error instanceof Error && typeof error.stack === 'string'
    ? { stack: error.stack.slice(0, 20_000) }
    : {}
