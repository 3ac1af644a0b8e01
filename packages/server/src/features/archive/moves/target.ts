// The target of a move, as the source calls it. The operator names its URL, so it may be anywhere,
// also inside the network.
import http from 'node:http'
import https from 'node:https'
import { PassThrough, type Writable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { withoutSecrets } from '@botstead/lib'
import { ArchiveError } from '../format/archive-error.ts'
import type { ArrivalStatus } from './arrivals.ts'

/** The target has rejected a request for a reason that a retry does not change. */
export class MoveRejected extends Error {}

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: object
  stream?: (out: Writable) => Promise<void>
  headers?: Record<string, string>
  timeoutMs: number
}

export interface Target {
  /** Returns null if the target does not know the move. */
  status(): Promise<ArrivalStatus | null>
  begin(request: object): Promise<ArrivalStatus>
  copy(write: (out: Writable) => Promise<void>): Promise<void>
  /** Returns those of the blobs that the target does not have. */
  missing(blobs: string[]): Promise<string[]>
  change(
    pass: number,
    write: (out: Writable) => Promise<void>,
    timeoutMs: number,
  ): Promise<void>
  /** Makes the workspace live. */
  activate(pass: number): Promise<void>
  cancel(): Promise<void>
}

const shortMs = 10_000
/** For transfers without progress of either side. */
export const idleMs = 1_800_000
const activationMs = 5_000

export function openTarget(
  { targetUrl, workspaceId, id }: { targetUrl: string; workspaceId: string; id: string },
  { token, passphrase }: { token: string; passphrase: string },
): Target {
  const base = `/v1/platform/arrivals/${encodeURIComponent(workspaceId)}`
  const query = `move=${encodeURIComponent(id)}`
  const call = <T>(options: Call) => callTarget<T>(targetUrl, token, options)
  const put = (path: string, stream: Call['stream'] & {}, timeoutMs: number) =>
    call<void>({
      method: 'PUT',
      path,
      stream,
      timeoutMs,
      headers: { 'x-botstead-passphrase': passphrase },
    })
  return {
    status: () =>
      call<ArrivalStatus>({
        method: 'GET',
        path: `${base}?${query}`,
        timeoutMs: shortMs,
      }).catch((error) => (error instanceof MoveUnknown ? null : Promise.reject(error))),
    begin: (body) =>
      call({ method: 'POST', path: `${base}?${query}`, body, timeoutMs: shortMs }),
    copy: (write) => put(`${base}/copy?${query}`, write, idleMs),
    async missing(blobs) {
      const path = `${base}/blobs?${query}`
      return (
        await call<{ missing: string[] }>({
          method: 'POST',
          path,
          body: { blobs },
          timeoutMs: shortMs,
        })
      ).missing
    },
    change: (pass, write, timeoutMs) =>
      put(`${base}/changes?${query}&pass=${pass}`, write, timeoutMs),
    activate: (pass) =>
      call({
        method: 'POST',
        path: `${base}/live?${query}&pass=${pass}`,
        body: {},
        timeoutMs: activationMs,
      }),
    cancel: () =>
      call<void>({ method: 'DELETE', path: `${base}?${query}`, timeoutMs: idleMs }).catch(
        (error) => (error instanceof MoveUnknown ? undefined : Promise.reject(error)),
      ),
  }
}

/** The target answered 404. */
class MoveUnknown extends MoveRejected {}

async function callTarget<T>(targetUrl: string, token: string, call: Call): Promise<T> {
  const { method, path, body, stream, headers, timeoutMs } = call
  const url = new URL(targetUrl.replace(/\/+$/, '') + path)
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(stream && { 'content-type': 'application/octet-stream' }),
      ...(body && { 'content-type': 'application/json' }),
    },
    timeout: timeoutMs,
  })
  request.on('timeout', () => request.destroy(new Error('The target does not answer')))
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  answered.catch(() => {})
  if (stream) await send(request, stream, answered)
  else request.end(body && JSON.stringify(body))
  return readAnswer<T>(await answered, token)
}

/** An early answer ends the writing: the target does not read on. */
async function send(
  request: http.ClientRequest,
  stream: (out: Writable) => Promise<void>,
  answered: Promise<http.IncomingMessage>,
) {
  const out = new PassThrough()
  out.pipe(request)
  const written = stream(out)
  const failed = answered.then(
    () => out.destroy(),
    (error) => void out.destroy(error),
  )
  await written.catch(async (error) => {
    await Promise.race([
      failed,
      new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
    ])
    if (!out.destroyed) {
      request.destroy(error)
      throw error
    }
  })
}

const maxReasonLength = 2_000

async function readAnswer<T>(response: http.IncomingMessage, token: string): Promise<T> {
  const status = response.statusCode ?? 0
  const answer = (await json(response).catch(() => null)) as { message?: string } | null
  if (status >= 200 && status < 300) return answer as T
  const reason = withoutSecrets(
    String(answer?.message ?? 'no reason'),
    [token],
    maxReasonLength,
  )
  const message = `The target answered ${status}: ${reason}`
  if (status === 404) throw new MoveUnknown(message)
  // It rejects too many requests, or is starting: a retry helps.
  if (status >= 500 || status === 429 || status === 408 || status === 423)
    throw new Error(message)
  throw new MoveRejected(message)
}

/** Throws ArchiveError if a workspace with these requirements cannot move there. */
export async function checkTarget(
  targetUrl: string,
  token: string,
  requirements: object,
): Promise<void> {
  const call = { method: 'POST', path: '/v1/platform/arrivals' } as const
  await callTarget(targetUrl, token, {
    ...call,
    body: requirements,
    timeoutMs: shortMs,
  }).catch((error: Error) => {
    const reason =
      error instanceof MoveUnknown
        ? 'it is not Botstead, or an older version'
        : error.message
    throw new ArchiveError(`Cannot move to ${targetUrl}: ${reason}`, { cause: error })
  })
}
