// Computes vectors of passages, if an embedding source is configured. It runs after indexing, so
// that files are found by words while the source is down. The row in file_index is the job; its
// holder has postponed the row's due time, and renews that with each step.

import { ApiError, type MeaningProgress } from '@botstead/contract'
import { openCache, PeriodicTask } from '@botstead/lib'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../../core/db/index.ts'
import { isAwake } from '../../../core/queue/index.ts'
import type { Embeddings } from '../../models/index.ts'
import { type IndexerOptions, openVectorIndexer } from '../vectors/vector-indexer.ts'
import { storeVectors } from '../vectors/vectors.ts'
import { toTitle } from './indexer.ts'

export interface EmbeddingSource {
  /** Null without a source. */
  model: string | null
  state: MeaningProgress['state']
}

export interface Embedder {
  readonly source: EmbeddingSource
  /**
   * Embeds a question. Returns null without a source, while it is down, if the bot's budget is used up,
   * and if the bot has no vectors; the search then uses words only.
   */
  embedQuery(
    text: string,
    botId: string,
  ): Promise<{ model: string; vector: Float32Array } | null>
  close(): Promise<void>
}

export const createNoEmbedder = (state: 'disabled' | 'notInstalled'): Embedder => ({
  source: { model: null, state },
  embedQuery: async () => null,
  close: async () => {},
})

export const noEmbedder: Embedder = createNoEmbedder('disabled')

interface Job {
  botId: string
  fileId: string
  key: string
  /** A configuration of PostgreSQL's text search; `simple` if the language is unknown. */
  language: string
  configuration: {
    configuration?: {
      chunking?: { embeddedContextLevels?: number; embedBreadcrumb?: boolean }
    }
  } | null
}

/**
 * A batch that takes about a second: a source that handles one request at a time must not delay
 * questions for long.
 */
const maxAtOnce = 32
const quickMs = 1_000
/** Longer than a server uses former settings, if it missed the note of their change. */
const recomputeAgainMs = 60_000
const passagesTimeoutMs = 60_000
const questionTimeoutMs = 3_000
/** Maximum length of a passage and of a question: text after it hardly changes the meaning. */
const maxCharacters = 16_000
const maxOfQuestion = 1_000

interface EmbedderOptions {
  db: Db
  embeddings: Embeddings
  log: Logger
  /** Called after each batch of passages. */
  onProgress?: (file: { botId: string; id: string }) => void
  /** Pause after a failure of the source. */
  pauseMs?: number
  /** When bots get an index of their vectors. */
  indexing?: Pick<IndexerOptions, 'minVectors' | 'paceMs'>
}

/** The embedding source, with pauses after failures. */
class Source {
  readonly #embeddings: Embeddings
  readonly #pauseMs: number
  /**
   * Time of the next check of a failed source, which gets no requests until then. Null: the source
   * responds.
   */
  #awayUntil: number | null = null

  constructor(embeddings: Embeddings, pauseMs: number) {
    this.#embeddings = embeddings
    this.#pauseMs = pauseMs
  }

  get isAway(): boolean {
    return this.#awayUntil !== null
  }

  /** A failure starts a pause of the source, except that of a bot's budget. */
  readonly embed: Embeddings['embed'] = async (texts, options) => {
    try {
      const vectors = await this.#embeddings.embed(texts, options)
      this.#awayUntil = null
      return vectors
    } catch (error) {
      if (!isOverBudget(error)) this.#awayUntil = performance.now() + this.#pauseMs
      throw error
    }
  }

  /** Checks the source in the background, where no request waits for it. */
  async isBack(): Promise<boolean> {
    if (this.#awayUntil !== null && performance.now() >= this.#awayUntil)
      await this.embed(['text'], { timeoutMs: questionTimeoutMs, botId: null }).catch(
        () => {},
      )
    return !this.isAway
  }
}

const isOverBudget = (error: unknown) =>
  error instanceof ApiError && error.type === 'QuotaExceeded'

interface PassagesOptions extends EmbedderOptions {
  source: Source
  /** Called after all passages of a file have been embedded. */
  onFinished: (botId: string) => void
}

/** Embeds passages in the background, one file after another. Bots take turns. */
class Passages {
  readonly #db: Db
  readonly #log: Logger
  readonly #source: Source
  readonly #model: string
  readonly #knows: NonNullable<Embeddings['knows']>
  readonly #onProgress: NonNullable<EmbedderOptions['onProgress']>
  readonly #onFinished: PassagesOptions['onFinished']
  readonly #looking: PeriodicTask
  #closed = false
  /** Other servers may still use the former model for some seconds after a change. */
  readonly #recomputeAt = [0, recomputeAgainMs].map((ms) => performance.now() + ms)
  #atOnce = maxAtOnce
  /** The bot that was served last. */
  #last = ''

  constructor({
    db,
    log,
    source,
    embeddings,
    onProgress = () => {},
    onFinished,
  }: PassagesOptions) {
    this.#db = db
    this.#log = log
    this.#source = source
    this.#model = embeddings.model
    this.#knows = embeddings.knows ?? (() => true)
    this.#onProgress = onProgress
    this.#onFinished = onFinished
    this.#looking = new PeriodicTask({
      task: () => this.#look(),
      paceMs: 1_000,
      failed: (error) =>
        log.warn({ err: error }, 'cannot query for passages without vectors'),
    })
  }

  /** Begins no more files or batches from now on. */
  close(): void {
    this.#closed = true
  }

  /** Resolves when the current batch has ended. */
  stop(): Promise<void> {
    return this.#looking.stop()
  }

  async #look(): Promise<void> {
    const [next = Number.POSITIVE_INFINITY] = this.#recomputeAt
    if (next <= performance.now()) {
      await recompute(this.#db, this.#model)
      this.#recomputeAt.shift()
    }
    while (!this.#closed && (await this.#source.isBack())) {
      const job =
        (await claim(this.#db, { above: this.#last })) ??
        (await claim(this.#db, { upTo: this.#last }))
      if (!job) return
      this.#last = job.botId
      const done = await this.#perform(job).catch((error) => error as Error)
      if (done instanceof Error) await this.#postpone(job, done)
    }
  }

  async #postpone(job: Job, error: Error): Promise<void> {
    const { botId, fileId } = job
    if (!this.#closed)
      this.#log.warn({ err: error, botId, fileId }, 'cannot embed passages; retrying')
    await postpone(this.#db, job)
  }

  async #perform(job: Job): Promise<void> {
    const model = this.#model
    for (;;) {
      const passages = await withoutVector(this.#db, job, { model, limit: this.#atOnce })
      if (passages.length === 0) {
        await finish(this.#db, job, model)
        this.#onFinished(job.botId)
        return this.#onProgress({ botId: job.botId, id: job.fileId })
      }
      const texts = passages.map(({ text }) => text)
      const vectors = await this.#embedKnown(texts, job)
      await storeVectors(
        this.#db,
        { ...job, model },
        passages.map(({ id }, at) => ({ id, vector: vectors[at]! })),
      )
      this.#onProgress({ botId: job.botId, id: job.fileId })
      if (this.#closed || !(await hold(this.#db, job))) return
    }
  }

  /** Returns null for texts in languages that the model does not know. */
  async #embedKnown(
    texts: string[],
    { botId, language }: Job,
  ): Promise<(Float32Array | null)[]> {
    const known = texts.filter((text) =>
      this.#knows(text, language === 'simple' ? null : language),
    )
    const vectors = known.length > 0 ? await this.#embed(known, botId) : []
    const found = new Map(known.map((text, at) => [text, vectors[at]!]))
    return texts.map((text) => found.get(text) ?? null)
  }

  /** Adapts the size of the next batch to the speed of the source. */
  async #embed(texts: string[], botId: string): Promise<(Float32Array | null)[]> {
    const from = performance.now()
    const options = { timeoutMs: passagesTimeoutMs, botId, isBackground: true }
    try {
      return await this.#source.embed(texts, options)
    } finally {
      const isQuick = performance.now() - from < quickMs
      this.#atOnce = isQuick
        ? Math.min(this.#atOnce * 2, maxAtOnce)
        : Math.max(1, Math.floor(texts.length / 2))
    }
  }
}

export function openEmbedder(options: EmbedderOptions): Embedder {
  const { db, embeddings, log, pauseMs = 10_000, indexing = {} } = options
  const { model } = embeddings
  const source = new Source(embeddings, pauseMs)
  const indexer = openVectorIndexer({ db, log, model, ...indexing })
  const passages = new Passages({ ...options, source, onFinished: indexer.soon })
  const load = async (key: string) => {
    const space = key.indexOf(' ')
    const [botId, text] = [key.slice(0, space), key.slice(space + 1)]
    return (await source.embed([text], { timeoutMs: questionTimeoutMs, botId }))[0]!
  }
  const questions = openCache(load, { size: 500, ttlMs: 600_000 })
  return {
    get source() {
      return {
        model,
        state: source.isAway ? ('unavailable' as const) : ('ready' as const),
      }
    },
    async embedQuery(text, botId) {
      if (source.isAway) return null
      try {
        const question = text.slice(0, maxOfQuestion).toWellFormed()
        if (embeddings.knows?.(question, null) === false) return null
        if (!(await hasVectors(db, botId, model))) return null
        const vector = await questions.get(`${botId} ${question}`)
        return vector && { model, vector }
      } catch (error) {
        log.warn({ err: error }, 'cannot embed a question; searching by words only')
        return null
      }
    },
    async close() {
      passages.close()
      await Promise.all([embeddings.close(), indexer.close()])
      await passages.stop()
    },
  }
}

/** Returns true if a file of the bot has vectors. */
async function hasVectors(db: Db, botId: string, model: string): Promise<boolean> {
  const { rows } = await sql`
    select from file_index i where bot_id = ${botId} and case
      when model = ${model} then coalesce(vectors, passages) > 0
      -- a file that is being embedded
      when embed_at > now() then exists (select from passage_vector v where v.bot_id = ${botId}
        and v.file_id = i.file_id and v.model = ${model} and length(v.signs) > 0)
      else false end limit 1`.execute(db)
  return rows.length > 0
}

/** Schedules all vectors of another model to be computed again. */
async function recompute(db: Db, model: string): Promise<void> {
  await sql`update file_index set embed_at = now() where model is distinct from ${model}
    and embed_at is null`.execute(db)
}

const leaseSeconds = 120

async function claim(
  db: Db,
  { above = '', upTo }: { above?: string; upTo?: string },
): Promise<Job | null> {
  const { rows } = await sql<Job>`
    with next as (
      select bot_id, file_id from file_index
      where embed_at <= now() and bot_id > ${above} and ${sql.raw(isAwake('file_index.bot_id'))}
        and (${upTo ?? null}::text is null or bot_id <= ${upTo ?? null})
      order by bot_id, embed_at limit 1 for update skip locked
    )
    update file_index i set embed_at = now() + ${leaseSeconds}::int * interval '1 second'
    from next join file on file.bot_id = next.bot_id and file.id = next.file_id
    where i.bot_id = next.bot_id and i.file_id = next.file_id
    returning i.bot_id as "botId", i.file_id as "fileId", file.key, i.language,
      file.indexing as configuration`.execute(db)
  return rows[0] ?? null
}

/** Renews the job. Returns false if the file was indexed again or deleted. */
async function hold(db: Db, { botId, fileId }: Job): Promise<boolean> {
  const { rows } = await sql`
    update file_index set embed_at = now() + ${leaseSeconds}::int * interval '1 second'
    where bot_id = ${botId} and file_id = ${fileId} and embed_at > now() returning 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Retries soon: the source failed, and searches should not miss vectors for long after it recovers.
 */
async function postpone(db: Db, { botId, fileId }: Job): Promise<void> {
  await sql`
    update file_index set embed_attempts = embed_attempts + 1,
      embed_at = now() + least(5 * power(2, least(embed_attempts, 4)), 60) * interval '1 second'
    where bot_id = ${botId} and file_id = ${fileId}`.execute(db)
}

async function finish(db: Db, { botId, fileId }: Job, model: string): Promise<void> {
  await sql`
    update file_index set embed_at = null, embed_attempts = 0, model = ${model}, (bytes, vectors) = (
      select coalesce(sum(pg_column_size(p.content) + pg_column_size(p.words)
        + coalesce(pg_column_size(v.vector) + pg_column_size(v.signs), 0)), 0),
        count(*) filter (where length(v.signs) > 0)
      from passage p left join passage_vector v using (bot_id, file_id, position)
        where p.bot_id = ${botId} and p.file_id = ${fileId}
    )
    where bot_id = ${botId} and file_id = ${fileId}
      and not exists (${missing({ botId, fileId }, model)})`.execute(db)
}

/**
 * Returns passages without a vector, each with its headings and the number of neighbours that the
 * file's configuration specifies.
 */
async function withoutVector(
  db: Db,
  job: Job,
  { model, limit }: { model: string; limit: number },
): Promise<{ id: string; text: string }[]> {
  const { embeddedContextLevels: neighbours = 0, embedBreadcrumb = true } =
    job.configuration?.configuration?.chunking ?? {}
  const { rows } = await sql<{ id: string; headings: string[]; around: string }>`
    select lacking.id, lacking.headings, (
      select string_agg(n.content, E'\n' order by n.position) from passage n
      where n.bot_id = lacking.bot_id and n.file_id = lacking.file_id
        and n.position between lacking.position - ${neighbours}::int and lacking.position + ${neighbours}::int
    ) as around
    from (${missing(job, model)} order by p.position limit ${limit}) lacking`.execute(db)
  return rows.map(({ id, headings, around }) => ({
    id,
    text: [...(embedBreadcrumb ? [toTitle(job.key), ...headings] : []), around]
      .join('\n')
      .slice(0, maxCharacters)
      .toWellFormed(),
  }))
}

const missing = ({ botId, fileId }: Pick<Job, 'botId' | 'fileId'>, model: string) => sql`
  select p.* from passage p left join passage_vector v using (bot_id, file_id, position)
  where p.bot_id = ${botId} and p.file_id = ${fileId} and v.model is distinct from ${model}`
