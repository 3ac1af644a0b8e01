// Indexes pending files in the background: a few at a time, each of another bot, so that many or
// hostile files of one bot do not delay the others.

import {
  detectFormat,
  type Extraction,
  type ExtractionConfiguration,
  type ExtractionOptions,
  ExtractionRejected,
  indexedFormats,
  openExtraction,
  signatureLength,
  typeByContent,
} from '@botstead/extraction'
import { essence, guessContentType, PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Db } from '../../../core/db/index.ts'
import { type Blobs, type IndexingJob, indexingJobs } from '../../../core/files/index.ts'
import { claimOldFile, completeIndexing, failIndexing } from './jobs.ts'

export interface Indexer {
  /** Looks for pending files now instead of at the next poll. */
  soon(): void
  close(): Promise<void>
}

interface IndexerOptions {
  db: Db
  blobs: Blobs
  log: Logger
  workerId: () => string
  /** Maximum size of an indexed file, in bytes. */
  maxBytes: number
  /** Called after a job has ended. */
  onChange?: (file: { botId: string; id: string }) => void
  extraction?: ExtractionOptions
}

const hands = 2
/** Includes attempts of processes that died. */
const maxAttempts = 5

export function openIndexer({
  db,
  blobs,
  log,
  workerId,
  maxBytes,
  onChange,
  extraction: options,
}: IndexerOptions): Indexer {
  const extractions = Array.from({ length: hands }, () => openExtraction(options))
  const free = [...extractions]
  const working = new Map<string, Promise<void>>()
  let last = ''
  let closed = false

  const work = async (job: IndexingJob, extraction: Extraction) => {
    try {
      const reason = await rejectionReason(job, blobs, maxBytes)
      if (reason) await failIndexing(db, job, reason)
      else await index({ db, blobs, extraction, job })
    } catch (error) {
      if (closed) return void (await job.release())
      if (error instanceof ExtractionRejected)
        return await failIndexing(db, job, error.message)
      log.warn(
        { err: error, botId: job.botId, fileId: job.fileId },
        'cannot index a file; retrying',
      )
      await job.postpone()
    }
  }
  const begin = (job: IndexingJob, extraction: Extraction) => {
    const done = work(job, extraction)
      .catch((error) => log.warn({ err: error }, 'cannot save the outcome of indexing'))
      .then(() => {
        onChange?.({ botId: job.botId, id: job.fileId })
        working.delete(job.botId)
        free.push(extraction)
        looking.within(0)
      })
    working.set(job.botId, done)
  }
  const look = async () => {
    while (free.length > 0 && !closed) {
      const busy = [...working.keys()]
      const job =
        (await indexingJobs.claim(db, workerId(), last, busy)) ??
        (await claimOldFile(db, workerId(), busy))
      if (!job) return
      last = job.botId
      begin(job, free.pop()!)
    }
  }
  const looking = new PeriodicTask({
    task: look,
    paceMs: 1_000,
    failed: (error) => log.warn({ err: error }, 'cannot query for files to index'),
  })

  return {
    soon: () => looking.within(0),
    async close() {
      closed = true
      await looking.stop()
      await Promise.all(extractions.map((one) => one.close()))
      await Promise.all(working.values())
    },
  }
}

async function rejectionReason(
  job: IndexingJob,
  blobs: Blobs,
  maxBytes: number,
): Promise<string | null> {
  if (job.attempts > maxAttempts) return `Indexing failed after ${maxAttempts} attempts`
  if (!detectFormat(essence(job.contentType), job.key))
    return (
      `Files of the type ${await findType(job, blobs)} are not indexed. ` +
      `Save the file as ${indexedFormats}`
    )
  return job.size > maxBytes
    ? `Files larger than ${maxBytes} bytes are not indexed`
    : null
}

/** Returns the media type; of a file without a specific one, that of its name or content. */
async function findType(
  { contentType, key, blob }: IndexingJob,
  blobs: Blobs,
): Promise<string> {
  const unknown = 'application/octet-stream'
  const type = essence(contentType)
  if (!/^(?:application|binary)\/octet-stream$/.test(type)) return type
  const named = guessContentType(key)
  if (named !== unknown) return named
  const start: Buffer[] = []
  for await (const chunk of (await blobs.read(blob)) as AsyncIterable<Buffer>) {
    start.push(chunk)
    if (start.reduce((sum, { length }) => sum + length, 0) >= signatureLength) break
  }
  const extension = /\.(\w{1,10})$/.exec(key)?.[1]
  return (
    typeByContent(Buffer.concat(start)) ?? (extension ? `".${extension}"` : 'unknown')
  )
}

async function index({
  db,
  blobs,
  extraction,
  job,
}: {
  db: Db
  blobs: Blobs
  extraction: Extraction
  job: IndexingJob
}) {
  const configuration =
    (job.configuration as { configuration?: ExtractionConfiguration } | null)
      ?.configuration ?? null
  const request = {
    format: detectFormat(essence(job.contentType), job.key)!,
    size: job.size,
    title: toTitle(job.key),
    contentType: job.contentType,
    configuration,
  }
  await completeIndexing(
    db,
    job,
    await extraction.extract(request, await blobs.read(job.blob)),
  )
}

/** Returns a title from the file name, which describes the content. */
export const toTitle = (key: string) =>
  key
    .split('/')
    .at(-1)!
    .replace(/\.\w{1,10}$/, '')
