// The two servers of a migration: the source, which is not trusted, and the target.
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient, RequestError, toRoutes } from '@botstead/client'
import { families } from '@botstead/contract'
import { CliError } from '../failure.ts'
import { backoffMs, openPacedFetch } from './paced-fetch.ts'

export interface End {
  client: Client
  /** Returns the client for operations inside a bot. */
  as: (botId: string) => Client
}

interface EndOptions {
  url: string
  token: string
  workspaceId: string
  rate: number
  onPause: (text: string) => void
}

const routes = toRoutes(families)

export function openEnd({ url, token, workspaceId, rate, onPause }: EndOptions): End {
  const paced = openPacedFetch({ rate, onPause })
  const headers = {
    authorization: `Bearer ${token}`,
    ...(workspaceId && { 'x-workspace-id': workspaceId }),
    'x-multiple-integrations': 'true',
  }
  const open = (own: Record<string, string>) =>
    createClient({ routes, url, headers: { ...headers, ...own }, fetch: paced })
  return { client: open({}), as: (botId) => open({ 'x-bot-id': botId }) }
}

export interface Page<Item> {
  items: Item[]
  nextToken?: string | undefined
}
type PageQuery = { nextToken?: string | undefined; pageSize?: number | undefined }

/** Pages of a listing from a position on. */
export type Pages = ReturnType<typeof openPages>

/** Servers of an older version reject `pageSize`: the size of their pages is fixed. */
export function openPages() {
  let pageSize: number | undefined = 100
  const readPage = async <Item>(
    read: (query: PageQuery) => Promise<Page<Item>>,
    nextToken: string | undefined,
  ): Promise<Page<Item>> => {
    try {
      return await read({ nextToken, pageSize })
    } catch (error) {
      if (!isRejected(error) || pageSize === undefined || nextToken !== undefined)
        throw error
      const page = await read({ nextToken })
      pageSize = undefined
      return page
    }
  }
  return async function* pagesOf<Item>(
    read: (query: PageQuery) => Promise<Page<Item>>,
    start?: string,
  ): AsyncGenerator<Page<Item>> {
    let nextToken = start || undefined
    do {
      const page = await readPage(read, nextToken).catch((error: unknown) => {
        // The position of an earlier run has expired.
        if (nextToken === undefined || nextToken !== start || !isRejected(error))
          throw error
        return readPage(read, undefined)
      })
      if (page.nextToken !== undefined && page.nextToken === nextToken)
        throw new CliError('the source repeats a page: its listing has no end')
      yield page
      nextToken = page.nextToken || undefined
    } while (nextToken)
  }
}

/** The request is at fault, and not the moment or the credentials. */
export const isRejected = (error: unknown): error is RequestError =>
  error instanceof RequestError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 403, 408, 429].includes(error.status)

/** Ids and names of the source that are safe in a path: `..` would name another operation. */
export const isPathPart = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value !== '.' &&
  value !== '..' &&
  value.length <= 500

const contentHosts = ['bpcontent.cloud', 'botpress.cloud']

/** Another attempt would have the same result, so the run reports the object and continues. */
export const isObstacle = (error: unknown): error is RequestError | Unfetchable =>
  isRejected(error) || error instanceof Unfetchable

/** Content is downloaded from the source's own address and from the hosts of the cloud only. */
export function rejectForeign(text: string, from: string, allowed: string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isOfCloud =
    url?.protocol === 'https:' &&
    contentHosts.some(
      (host) => url.hostname === host || url.hostname.endsWith(`.${host}`),
    )
  if (
    url &&
    (isOfCloud || [from, ...allowed].some((one) => new URL(one).origin === url.origin))
  )
    return url
  throw new Unfetchable(
    `its content is at ${url?.origin ?? 'an invalid URL'}: to allow this, pass --files-from with it`,
  )
}

/** The content cannot be downloaded; a repetition would not help. */
export class Unfetchable extends CliError {}

export const tooLarge = () => new Unfetchable('it is larger than --max-file-mb')

const maxAttempts = 8

/** Repeats downloads after temporary failures, each time from its start: URLs expire. */
export async function repeatDownload<T>(
  run: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run(attempt)
    } catch (error) {
      const isFinal = error instanceof Unfetchable || error instanceof RequestError
      if (isFinal || attempt === maxAttempts) throw error
      await pause(backoffMs(attempt))
    }
}

const idleMs = 120_000

/** Writes the content to a file. Sends no token. */
export async function download(url: URL, file: string, maxBytes: number): Promise<void> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), idleMs)
  try {
    const response = await fetch(url, { redirect: 'manual', signal: abort.signal })
    if (response.status >= 300 && response.status < 500 && response.status !== 429)
      throw new Unfetchable(
        `its content cannot be downloaded (status ${response.status})`,
      )
    if (!response.ok) throw new Error(`status ${response.status}`)
    let size = 0
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        timer.refresh()
        size += chunk.length
        done(size > maxBytes ? tooLarge() : null, chunk)
      },
    })
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    await pipeline(body, bounded, createWriteStream(file, { mode: 0o600 }))
  } finally {
    clearTimeout(timer)
  }
}
