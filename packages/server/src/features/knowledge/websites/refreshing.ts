// Refreshes a source: finds its pages, then fetches them one by one and stores those that changed as
// files. Each page is one transaction with the source's lease, so a refresh continues with the next
// page after a crash.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { storableText } from '@botstead/lib'
import type { Limits } from '../../../core/config/index.ts'
import type { Database, Db } from '../../../core/db/index.ts'
import { type Blobs, storeFile } from '../../../core/files/index.ts'
import { gatherPages } from './gathering.ts'
import { type PageContent, toContent } from './page-content.ts'
import { isNoIndexHeader } from './page-head.ts'
import {
  nextPage,
  type PageResult,
  type PendingPage,
  replacePages,
  savePage,
} from './pages.ts'
import { Blocked, type Site } from './site.ts'
import { beginRefresh, countPage, endRefresh, type SourceRow } from './sources.ts'
import { WebFailed, type WebResponse } from './web-requests.ts'

export interface RefreshDeps {
  database: Database
  db: Db
  blobs: Blobs
  limits: Limits
  site: Site
  /** Ends pauses early. */
  signal: AbortSignal
  /** Called after each step, with whether a file has changed. */
  onStep: (hasChangedFile: boolean) => void
}

/** Then other sources get their turn. */
const pagesPerTurn = 20
/** During a longer pause, the source is released. */
const maxHeldPauseMs = 2_000
const maxPageBytes = 10_000_000
const busyPauseMs = 10_000
const maxBusyPauseMs = 60_000

/** Does a part of the refresh. Returns the pause until the next part, or null after the last. */
export async function refresh(
  deps: RefreshDeps,
  source: SourceRow,
): Promise<number | null> {
  try {
    if (source.status !== 'fetching') await begin(deps, source)
  } catch (error) {
    if (!(error instanceof WebFailed)) throw error
    await endRefresh(deps.db, source, error.message)
    return null
  }
  for (let done = 0; done < pagesPerTurn; done += 1) {
    const page = await nextPage(deps.db, source)
    if (!page) {
      await endRefresh(deps.db, source)
      return null
    }
    const pauseMs = await refreshPage(deps, source, page)
    if (pauseMs > maxHeldPauseMs) return pauseMs
    if (pauseMs > 0) await pause(pauseMs, undefined, { signal: deps.signal })
  }
  return 0
}

async function begin(
  { database, site, onStep }: RefreshDeps,
  source: SourceRow,
): Promise<void> {
  const { urls, problem, isPartial } =
    source.type === 'page'
      ? { urls: [source.url], problem: null, isPartial: false }
      : await gatherPages(site, new URL(source.url), source.max_pages)
  const run = source.run + 1
  await database.inTransaction(async ({ db }) => {
    await beginRefresh(db, source, { run, total: urls.length, problem })
    await replacePages(db, source, { urls, run, keepsOthers: isPartial })
  })
  onStep(false)
}

/** Returns the pause that the website asks for. */
async function refreshPage(
  deps: RefreshDeps,
  source: SourceRow,
  page: PendingPage,
): Promise<number> {
  const { result, content, pauseMs } = await readPage(deps.site, page)
  if (content) await storeContent(deps, source, page, { content, result })
  else await commit(deps.database, source, page, result)
  deps.onStep(content !== undefined)
  return pauseMs
}

const commit = (
  database: Database,
  source: SourceRow,
  { url }: PendingPage,
  result: PageResult,
) =>
  database.inTransaction(async ({ db }) => {
    await countPage(db, source, !['fetched', 'unchanged'].includes(result.status))
    await savePage(db, source, url, result)
  })

interface ReadPage {
  result: PageResult
  /** New content. */
  content?: PageContent
  pauseMs: number
}

async function readPage(site: Site, page: PendingPage): Promise<ReadPage> {
  const url = new URL(page.url)
  try {
    const request = { url, maxBytes: maxPageBytes, headers: toConditionalHeaders(page) }
    const response = await site.read(request)
    return {
      ...toResult(response, page, url),
      pauseMs: await pauseAfter(site, url, response),
    }
  } catch (error) {
    if (error instanceof Blocked)
      return {
        result: { ...withoutFile, status: 'blocked', reason: error.message },
        pauseMs: 0,
      }
    if (error instanceof WebFailed)
      return {
        result: { status: 'failed', reason: storableText(error.message, 500) },
        pauseMs: 0,
      }
    throw error
  }
}

const withoutFile = { fileId: null, etag: null, lastModified: null }

/** Asks for content only if it differs from that of the file. */
function toConditionalHeaders({
  checksum,
  etag,
  last_modified,
}: PendingPage): Record<string, string> {
  if (checksum === null) return {}
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(last_modified !== null && { 'if-modified-since': last_modified }),
  }
}

/** Throws WebFailed. */
function toResult(
  response: WebResponse,
  { checksum }: PendingPage,
  url: URL,
): Omit<ReadPage, 'pauseMs'> {
  const { status, headers } = response
  if (isNoIndexHeader(headers['x-robots-tag'])) return noIndex('header X-Robots-Tag')
  if (status === 304 && checksum !== null) return { result: { status: 'unchanged' } }
  if (status === 404 || status === 410)
    return {
      result: {
        ...withoutFile,
        status: 'gone',
        reason: `The website responded with ${status}`,
      },
    }
  if (status !== 200) throw new WebFailed(`The website responded with status ${status}`)
  const content = toContent(response, url)
  if (content.isNoIndex) return noIndex('`meta` element for robots')
  const versions = {
    etag: validator(headers.etag),
    lastModified: validator(headers['last-modified']),
  }
  if (createHash('sha256').update(content.bytes).digest('hex') === checksum)
    return { result: { status: 'unchanged', ...versions } }
  return { result: { status: 'fetched', ...versions }, content }
}

/** As with robots.txt, the page loses its file. */
const noIndex = (place: string): Omit<ReadPage, 'pauseMs'> => ({
  result: {
    ...withoutFile,
    status: 'blocked',
    reason: `The page asks not to be indexed: its ${place} has "noindex"`,
  },
})

/** The server sends it back, so it must be short and printable. */
const validator = (text: string | undefined) =>
  text !== undefined && /^[\x20-\x7e]{1,200}$/.test(text) ? text : null

async function pauseAfter(
  site: Site,
  url: URL,
  { status, headers }: WebResponse,
): Promise<number> {
  if (status !== 429 && status !== 503) return site.delayMs(url)
  const seconds = Number(headers['retry-after'])
  return seconds > 0 ? Math.min(seconds * 1000, maxBusyPauseMs) : busyPauseMs
}

interface NewContent {
  content: PageContent
  result: PageResult
}

/** Stores the file and the page's result together. A full workspace fails the page. */
async function storeContent(
  deps: RefreshDeps,
  source: SourceRow,
  page: PendingPage,
  { content, result }: NewContent,
): Promise<void> {
  const { database } = deps
  const file = toFile(source, page.url, content)
  try {
    await storeFile(deps, source.bot_id, file, Readable.from([content.bytes]), (save) =>
      database.inTransaction(async (inside) => {
        await countPage(inside.db, source, false)
        const fileId = await save(inside)
        await savePage(inside.db, source, page.url, { ...result, fileId })
        return fileId
      }),
    )
  } catch (error) {
    if (!(error instanceof ApiError && error.type === 'QuotaExceeded')) throw error
    await commit(database, source, page, { status: 'failed', reason: error.message })
  }
}

const toFile = (
  source: SourceRow,
  url: string,
  { bytes, contentType, title }: PageContent,
) => ({
  key: `knowledge/${source.knowledge_base_id}/${url}`,
  size: bytes.length,
  contentType,
  owner: { type: 'bot' as const, id: source.bot_id },
  tags: { source: 'knowledge-base', kbId: source.knowledge_base_id, title, url },
  index: true,
})
