// An import of many files into knowledge bases. It lives outside of the page, so it continues while
// the user looks at other pages. Files are skipped if the server has their content already: to continue
// after the browser was closed, the user chooses the same folder again.
import { type Client, RequestError, Unreachable } from '@botstead/client'
import { useSyncExternalStore } from 'react'
import { clientFor } from '../../api/client.ts'
import { sessionExpired, whenSignedIn } from '../../api/session.ts'

export interface ImportedFile {
  file: File
  /** Within the knowledge base. */
  path: string
}

/** A file with its knowledge base. */
interface Item extends ImportedFile {
  kbId: string
}

export interface ImportState {
  total: number
  uploaded: number
  /** Uploaded ones, under keys that had another content. */
  replaced: number
  skipped: number
  failed: { imported: Item; reason: string }[]
  /** Files that are being sent, with the sent part from 0 to 1. */
  current: { path: string; sent: number }[]
  isRunning: boolean
  /** The server does not respond; the import retries. */
  isWaiting: boolean
}

interface Target {
  workspaceId: string
  botId: string
  kbId: string
}

/** Connections at a time; browsers allow six, and the page needs some. */
const concurrency = 3
/** Files of one question whether the server has them. */
const batchSize = 200
/** A larger file is uploaded without that question, because its hash needs it in memory. */
const maxHashed = 200_000_000
/** Pace of updates of the page. */
const updateMs = 250
const maxPauseMs = 10_000

const imports = new Map<string, FolderImport>()
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** Returns the import of a bot. */
export function useImport(botId: string): FolderImport | undefined {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => imports.get(botId)?.state,
  )
  return imports.get(botId)
}

/** Adds the files to the running import of the bot, or starts one. */
export function startImport(
  { workspaceId, botId, kbId }: Target,
  files: ImportedFile[],
): void {
  let running = imports.get(botId)
  if (!running?.state.isRunning) {
    running = new FolderImport({ workspaceId, botId })
    imports.set(botId, running)
  }
  running.add(files.map((file) => ({ ...file, kbId })))
}

export function closeImport(botId: string): void {
  imports.get(botId)?.stop()
  imports.delete(botId)
  notify()
}

class Stopped extends Error {}

export class FolderImport {
  readonly #client
  #waiting: Item[] = []
  #state: ImportState = {
    total: 0,
    uploaded: 0,
    replaced: 0,
    skipped: 0,
    failed: [],
    current: [],
    isRunning: false,
    isWaiting: false,
  }
  /** A copy that changes at the pace of the page. */
  state: ImportState = this.#state
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #stopped = new AbortController()

  constructor({ workspaceId, botId }: Omit<Target, 'kbId'>) {
    this.#client = clientFor({ workspaceId, botId })
  }

  add(files: Item[]) {
    this.#waiting.push(...files)
    this.#change({ total: this.#state.total + files.length })
    if (!this.#state.isRunning) void this.#run()
  }

  retry() {
    const again = this.#state.failed.map(({ imported }) => imported)
    this.#change({ failed: [], total: this.#state.total - again.length })
    this.add(again)
  }

  stop() {
    this.#stopped.abort()
    this.#change({ isRunning: false, isWaiting: false, current: [] })
  }

  get isStopped() {
    return this.#stopped.signal.aborted
  }

  #change(changes: Partial<ImportState>) {
    this.#state = { ...this.#state, ...changes }
    if ('isRunning' in changes) return this.#show()
    this.#timer ??= setTimeout(() => this.#show(), updateMs)
  }

  #show() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.state = this.#state
    notify()
  }

  async #run() {
    this.#change({ isRunning: true })
    window.addEventListener('beforeunload', warn)
    try {
      while (this.#waiting.length > 0)
        await this.#importBatch(this.#waiting.splice(0, batchSize))
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    } finally {
      window.removeEventListener('beforeunload', warn)
      if (!this.isStopped) this.#change({ isRunning: false, isWaiting: false })
    }
  }

  async #importBatch(batch: Item[]) {
    const { missing, changed } = await this.#compare(batch)
    await inParallel(missing, async (imported) => {
      try {
        await this.#persist(() => this.#upload(imported))
        this.#change({
          uploaded: this.#state.uploaded + 1,
          replaced: this.#state.replaced + (changed.has(getKey(imported)) ? 1 : 0),
        })
      } catch (error) {
        if (error instanceof Stopped) throw error
        const reason = error instanceof Error ? error.message : String(error)
        this.#change({ failed: [...this.#state.failed, { imported, reason }] })
      }
    })
  }

  /** Returns the files to upload, and the keys of those that replace another content. */
  async #compare(batch: Item[]): Promise<{ missing: Item[]; changed: Set<string> }> {
    const hashes: { key: string; sha256: string }[] = []
    await inParallel(batch, async (item) => {
      if (this.isStopped) throw new Stopped()
      const sha256 = await hashFile(item.file)
      if (sha256) hashes.push({ key: getKey(item), sha256 })
    })
    if (hashes.length === 0) return { missing: batch, changed: new Set() }
    const ask = () => this.#client.platform.findStoredFiles({ body: { files: hashes } })
    const found = await this.#persist(ask)
    const stored = new Set(found.keys)
    const missing = batch.filter((item) => !stored.has(getKey(item)))
    this.#change({ skipped: this.#state.skipped + batch.length - missing.length })
    return { missing, changed: new Set(found.changed) }
  }

  async #upload(item: Item) {
    const { file, path, kbId } = item
    const name = path.slice(path.lastIndexOf('/') + 1)
    const created = await this.#client.files.upsertFile({
      body: {
        key: getKey(item),
        size: file.size,
        ...(file.type && { contentType: file.type }),
        index: true,
        tags: {
          source: 'knowledge-base',
          kbId,
          title: name.replace(/\.\w+$/, '').slice(0, 500),
        },
      },
    })
    const { uploadUrl, contentType } = created.file
    const progress = { path, sent: 0 }
    this.#change({ current: [...this.#state.current, progress] })
    try {
      await send(uploadUrl, contentType, file, this.#stopped.signal, (sent) => {
        progress.sent = sent
        this.#change({ current: [...this.#state.current] })
      })
    } finally {
      this.#change({ current: this.#state.current.filter((each) => each !== progress) })
    }
  }

  /** Repeats the work while the server does not respond or asks to wait. */
  async #persist<Value>(work: () => Promise<Value>): Promise<Value> {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      if (this.isStopped) throw new Stopped()
      try {
        const value = await work()
        if (this.#state.isWaiting) this.#change({ isWaiting: false })
        return value
      } catch (error) {
        if (this.isStopped) throw new Stopped()
        if (error instanceof RequestError && error.status === 401) {
          sessionExpired()
          await whenSignedIn()
        } else if (isTemporary(error)) {
          if (!(error instanceof RequestError)) this.#change({ isWaiting: true })
          const { retryAfter = 0 } = error as { retryAfter?: number }
          await pause(Math.max(pauseMs, retryAfter * 1000))
        } else throw error
      }
    }
  }
}

/** As the command `deploy` names files of knowledge bases. */
const getKey = ({ kbId, path }: Item) => `knowledge/${kbId}/${path}`

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

const isTemporary = (error: unknown) =>
  error instanceof Unreachable ||
  (error instanceof RequestError && [408, 429, 502, 503, 504].includes(error.status))

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>) {
  const left = items.values()
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of left) await work(item)
  })
  await Promise.all(workers)
}

/** More are not compared before an upload. */
const maxCompared = 500
/** The hash of a larger file takes longer than a person waits. */
const maxComparedBytes = 20_000_000

export const compared = (files: ImportedFile[]) => files.slice(0, maxCompared)

/** Returns the paths of the files that an upload would skip or replace; large ones may also be skipped. */
export async function compareWithStored(
  client: Client,
  kbId: string,
  files: ImportedFile[],
) {
  const items = compared(files).map((file) => ({ ...file, kbId }))
  const paths = new Map(items.map((item) => [getKey(item), item.path]))
  const hashes: { key: string; sha256: string }[] = []
  await inParallel(items, async (item) => {
    const hash = item.file.size > maxComparedBytes ? null : await hashFile(item.file)
    hashes.push({ key: getKey(item), sha256: hash ?? unknownHash })
  })
  const { keys, changed } = await client.platform.findStoredFiles({
    body: { files: hashes },
  })
  return { skipped: keys.length, replaced: changed.map((key) => paths.get(key) ?? key) }
}

const unknownHash = '0'.repeat(64)

/** Returns null if the browser offers no hashes (a page without TLS), or for a very large file. */
async function hashFile(file: File): Promise<string | null> {
  if (!globalThis.crypto?.subtle || file.size > maxHashed) return null
  try {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return Array.from(new Uint8Array(digest), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
  } catch {
    // The upload reports that the file cannot be read.
    return null
  }
}

/** `fetch` does not report the progress of an upload. */
function send(
  url: string,
  contentType: string,
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.onloadend = () => {
      signal.removeEventListener('abort', abort)
      if (request.status === 200) resolve()
      else if (request.status === 0) reject(new Unreachable())
      else
        reject(
          new RequestError(
            new Response(null, { status: request.status }),
            toReply(request),
          ),
        )
    }
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(total ? loaded / total : 1)
    request.open('PUT', url)
    request.setRequestHeader('content-type', contentType)
    request.send(file)
  })
}

function toReply({ responseText }: XMLHttpRequest) {
  try {
    return JSON.parse(responseText) as { message: string }
  } catch {
    return null
  }
}
