// Indexes pending files in the background: a few at a time, each of another bot, so that many or hostile
// files of one bot do not delay the others.
import type { Logger } from 'pino'
import type { Blobs } from '../../../infra/blobs/blobs.ts'
import type { Db } from '../../../infra/db/open.ts'
import {
  type Extraction,
  type ExtractionConfiguration,
  type ExtractionOptions,
  ExtractionRefused,
  openExtraction,
} from '../../../infra/extraction/extraction.ts'
import { formatOf } from '../../../infra/extraction/formats.ts'
import { Repeated } from '../../../infra/lib/repeated.ts'
import { essence } from '../content-type.ts'
import { claimJob, completeJob, failJob, giveBack, type Job, postponeJob } from './jobs.ts'

export interface Indexer {
  /** Looks for pending files now instead of at the next poll. */
  soon(): void
  close(): Promise<void>
}

export interface IndexerOptions {
  db: Db
  blobs: Blobs
  log: Logger
  workerId: () => string
  /** Maximum size of an indexed file, in bytes. */
  mostBytes: number
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
  mostBytes,
  extraction: options,
}: IndexerOptions): Indexer {
  const extractions = Array.from({ length: hands }, () => openExtraction(options))
  const free = [...extractions]
  const working = new Map<string, Promise<void>>()
  let last = ''
  let closed = false

  const work = async (job: Job, extraction: Extraction) => {
    try {
      const reason = rejectionReason(job, mostBytes)
      if (reason) await failJob(db, job, reason)
      else await index({ db, blobs, extraction, job })
    } catch (error) {
      if (closed) return await giveBack(db, job)
      if (error instanceof ExtractionRefused) return await failJob(db, job, error.message)
      log.warn({ err: error, botId: job.botId, fileId: job.fileId }, 'cannot index a file; retrying')
      await postponeJob(db, job)
    }
  }
  const begin = (job: Job, extraction: Extraction) => {
    const done = work(job, extraction)
      .catch((error) => log.warn({ err: error }, 'cannot save the outcome of indexing'))
      .then(() => {
        working.delete(job.botId)
        free.push(extraction)
        looking.within(0)
      })
    working.set(job.botId, done)
  }
  const look = async () => {
    while (free.length > 0 && !closed) {
      const job = await claimJob(db, workerId(), last, [...working.keys()])
      if (!job) return
      last = job.botId
      begin(job, free.pop()!)
    }
  }
  const looking = new Repeated({
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

function rejectionReason({ contentType, key, size, attempts }: Job, mostBytes: number): string | null {
  if (attempts > maxAttempts) return `Indexing failed after ${maxAttempts} attempts`
  if (!formatOf(essence(contentType), key)) return `Files of the type ${contentType} are not indexed`
  return size > mostBytes ? `Files larger than ${mostBytes} bytes are not indexed` : null
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
  job: Job
}) {
  const configuration =
    (job.configuration as { configuration?: ExtractionConfiguration } | null)?.configuration ?? null
  const asked = {
    format: formatOf(essence(job.contentType), job.key)!,
    size: job.size,
    title: titleOf(job.key),
    configuration,
  }
  await completeJob(db, job, await extraction.extract(asked, await blobs.read(job.blob)))
}

/** Returns a title from the file name, which describes the content. */
export const titleOf = (key: string) =>
  key
    .split('/')
    .at(-1)!
    .replace(/\.\w{1,10}$/, '')
