// Calls of providers, through the guard of all requests that the server makes for workspaces.
import { ChannelError, type ProviderResponse, type Request } from '@botstead/channels'
import { InvocationFailed } from '@botstead/sandbox'
import { type Outgoing, toUnreachable } from '../../core/outgoing/index.ts'

const defaultTimeoutMs = 30_000
const defaultMaxBytes = 10 * 2 ** 20

type Send = Awaited<ReturnType<Outgoing['for']>>

export const createRequest =
  (send: Send, signal: AbortSignal): Request =>
  async (url, options = {}) => {
    const { method = 'GET', headers = {}, body, maxBytes = defaultMaxBytes } = options
    const deadline = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
    try {
      const answer = await send(url, {
        method: method as 'GET',
        headers,
        ...(body !== undefined && { body: body as string }),
        signal: AbortSignal.any([signal, deadline]),
      })
      return {
        status: answer.statusCode,
        headers: toPlain(answer.headers),
        body: await readBytes(answer.body, maxBytes),
      }
    } catch (error) {
      throw toChannelError(error, { url, deadline })
    }
  }

/** Throws ChannelError. */
export const createResolve =
  (find: (host: string) => Promise<string>) =>
  (host: string): Promise<string> =>
    find(host).catch((error) => {
      throw error instanceof InvocationFailed ? fromInvocation(error) : error
    })

const fromInvocation = ({ reason, message, detail }: InvocationFailed): ChannelError =>
  reason === 'not-allowed'
    ? new ChannelError('rejected', detail)
    : new ChannelError('unavailable', message)

const toPlain = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  )

async function readBytes(
  stream: AsyncIterable<Buffer>,
  max: number,
): Promise<ProviderResponse['body']> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    // Throwing out of the loop closes the connection.
    if (size > max)
      throw new ChannelError('rejected', `The provider sent more than ${max} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The path of the URL may contain a token, so the message names the host only. */
function toChannelError(
  error: unknown,
  { url, deadline }: { url: string; deadline: AbortSignal },
): ChannelError {
  if (error instanceof ChannelError) return error
  if (!URL.canParse(url))
    return new ChannelError(
      'rejected',
      'An address of the settings is not complete: it begins with https:// or http://, and a host.',
    )
  const { host } = new URL(url)
  if (deadline.aborted)
    return new ChannelError('unavailable', `"${host}" did not answer in time`)
  const unreachable = toUnreachable(error, url)
  const found =
    unreachable.reason !== 'not-allowed' &&
    remedies.find(([pattern]) => pattern.test(unreachable.message))
  return found
    ? new ChannelError('unavailable', found[1](host))
    : fromInvocation(unreachable)
}

/** Errors of Node.js, and what to check in the settings. */
const remedies: [pattern: RegExp, explain: (host: string) => string][] = [
  [
    /ECONNREFUSED/,
    (host) =>
      `Nothing answers at "${host}". Compare the address and its port, and whether the service runs.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    (host) =>
      `The server does not find "${host}". Check the address, and the connection to the internet.`,
  ],
  [
    /wrong version number|packet length too long/,
    (host) =>
      `"${host}" does not speak HTTPS. Compare the port, or begin the address with http://.`,
  ],
]
