// Owns the table webhook_request: a diary of the last requests to each installed integration, so that
// its developer sees what a third party sent. A request does not wait for its entry: entries are
// written once a second, and a crash loses those of the last one.
import { ApiError } from '@botstead/contract'
import { createBatchedWrites, storableText } from '@botstead/lib'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { GetRedactors, Redactor } from '../../core/compute/index.ts'
import type { Db } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import {
  redactBody,
  redactForm,
  redactHeaders,
  redactQuery,
} from './webhook-redaction.ts'

/** Per installation. */
const maxKept = 100
const maxBodyBytes = 16_384
const gatherMs = 1_000
/** Installations with entries that are not written yet; further ones are dropped. */
const maxInstallations = 1_000

interface OriginalRequest {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body: Buffer
}

interface RecordedRequest {
  botId: string
  alias: string
  at: Date
  ms: number
  request: OriginalRequest
  response: { status: number; headers: Record<string, string>; chunks: Buffer[] } | null
  error: string | null
  replayOf: string | null
}

interface Body {
  /** Absent for binary content. */
  text?: string
  bytes: number
  isComplete: boolean
}

export interface WebhookRequestRow {
  id: string
  at: Date
  method: string
  path: string
  status: number | null
  error: string | null
  ms: number
  is_repeatable: boolean
  replay_of: string | null
}

export interface WebhookRequestContent {
  query: string
  headers: Record<string, string>
  body: Body
  response: { headers: Record<string, string>; body: Body } | null
}

type Entry = Omit<WebhookRequestRow, 'is_repeatable'> & {
  content: () => WebhookRequestContent
  original: OriginalRequest | null
}

export interface WebhookRequests {
  /** Returns the entry, which will be written soon. */
  record(recorded: RecordedRequest): WebhookRequestRow
  close(): Promise<void>
}

interface Deps {
  db: Db
  secrets: Secrets
  log: Logger
  getRedactors: GetRedactors
  /** Null for a deleted bot. */
  workspaceOf: (botId: string) => Promise<string | null>
  /** Called after requests of the bot were written. */
  written: (botId: string) => void
}

export function openWebhookRequests(deps: Deps): WebhookRequests {
  const entries = createBatchedWrites<Entry>(
    (key, gathered) => write(deps, JSON.parse(key), gathered),
    (error) => deps.log.warn({ err: error }, 'requests of webhooks were not recorded'),
    { gatherMs, maxKeys: maxInstallations, maxItems: maxKept, drops: 'oldest' },
  )
  return {
    record(recorded) {
      const entry = toEntry(recorded)
      const { content: _content, original, ...row } = entry
      entries.add(JSON.stringify([recorded.botId, recorded.alias]), entry)
      return { ...row, is_repeatable: original !== null }
    },
    close: () => entries.close(),
  }
}

/** Copies the parts of the request that the entry keeps, and releases the others. */
function toEntry({ request, response, ...recorded }: RecordedRequest): Entry {
  const { method, path, query, headers } = request
  const isRepeatable = request.body.length <= maxBodyBytes
  const sent = copyBeginning([request.body])
  const received = response && {
    headers: response.headers,
    body: copyBeginning(response.chunks),
  }
  return {
    id: newId('webhookRequest'),
    at: recorded.at,
    method,
    path: storableText(path, 2_000),
    status: response?.status ?? null,
    error: recorded.error && storableText(recorded.error, 2_000),
    ms: recorded.ms,
    replay_of: recorded.replayOf,
    content: () => ({
      query: redactQuery(query),
      headers: redactHeaders(headers),
      body: toBody(sent, headers),
      response: received && {
        headers: redactHeaders(received.headers),
        body: toBody(received.body, received.headers),
      },
    }),
    original: isRepeatable
      ? { method, path, query, headers, body: sent.beginning }
      : null,
  }
}

/** Copied, so that the entry does not keep a large body in memory. */
function copyBeginning(chunks: Buffer[]) {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
  const parts: Buffer[] = []
  for (let left = maxBodyBytes, at = 0; left > 0 && at < chunks.length; at++) {
    parts.push(chunks[at]!.subarray(0, left))
    left -= chunks[at]!.length
  }
  return { beginning: Buffer.concat(parts), bytes }
}

function toBody(
  { beginning, bytes }: ReturnType<typeof copyBeginning>,
  headers: Record<string, string>,
): Body {
  const isComplete = bytes === beginning.length
  const text = redactBody(beginning, isComplete, headers['content-type'] ?? '')
  return { ...(text !== null && { text }), bytes, isComplete }
}

const toLocation = (botId: string, alias: string, id: string) =>
  `webhook_request.original/${botId}/${alias}/${id}`

/** Appends entries, and removes the oldest ones. Drops them if the integration was removed. */
async function write(
  { db, secrets, workspaceOf, getRedactors, written }: Deps,
  [botId, alias]: [string, string],
  entries: Entry[],
): Promise<void> {
  const workspaceId = await workspaceOf(botId)
  if (workspaceId === null) return
  const { storage, logs } = await getRedactors(botId)
  const rows = await Promise.all(
    entries.map(async ({ content, original, ...entry }) => ({
      ...(await withoutMatches(
        logs,
        await withoutMatches(storage, { ...entry, content: content() }),
      )),
      // It is stored as it was, or not at all.
      original:
        storage || !original
          ? null
          : (
              await secrets.seal(
                workspaceId,
                packed(original),
                toLocation(botId, alias, entry.id),
              )
            ).toString('base64'),
    })),
  )
  await sql`
    with present as (
      select bot_id, alias from installation where bot_id = ${botId} and alias = ${alias} for key share
    ),
    excess as (
      delete from webhook_request where bot_id = ${botId} and alias = ${alias} and id <= (
        select id from webhook_request where bot_id = ${botId} and alias = ${alias}
        order by id desc offset ${Math.max(0, maxKept - rows.length)} limit 1)
    )
    insert into webhook_request (bot_id, alias, id, at, method, path, status, error, ms, content,
      original, replay_of)
    select p.bot_id, p.alias, r.id, r.at, r.method, r.path, r.status, r.error, r.ms, r.content,
      decode(r.original, 'base64'), r.replay_of
    from present p, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, at timestamptz,
      method text, path text, status int, error text, ms int, content jsonb, original text,
      replay_of text)`.execute(db)
  written(botId)
}

/** Values of queries and forms are encoded: `from=%2B49…`. */
async function withoutMatches<Stored extends Omit<Entry, 'original' | 'content'>>(
  redactor: Redactor | null,
  entry: Stored & { content: WebhookRequestContent },
): Promise<Stored & { content: WebhookRequestContent }> {
  if (!redactor) return entry
  const { query, body, ...others } = entry.content
  const text = body.text && (await redactForm(body.text, redactor))
  const content = {
    ...others,
    query: await redactForm(query, redactor),
    body: { ...body, ...(text && { text }) },
  }
  const { path, error } = entry
  return { ...entry, ...(await redactor.value({ path, error, content })) }
}

const packed = ({ body, ...request }: OriginalRequest) =>
  JSON.stringify({ ...request, body: body.toString('base64') })

const columns = sql`id, at, method, path, status, error, ms, original is not null as is_repeatable,
  replay_of`

/** Newest first. `position` is the id of the previous page's last entry. */
export async function listWebhookRequests(
  db: Db,
  botId: string,
  alias: string,
  { position, limit }: { position: string | null; limit: number },
): Promise<WebhookRequestRow[]> {
  const { rows } = await sql<WebhookRequestRow>`
    select ${columns} from webhook_request where bot_id = ${botId} and alias = ${alias}
      and (${position}::text is null or id < ${position})
    order by id desc limit ${limit}`.execute(db)
  return rows
}

const noRequest = (id: string) =>
  new ApiError('ResourceNotFound', `Webhook request "${id}" was not found`)

/** Throws ResourceNotFound. */
export async function findWebhookRequest(
  db: Db,
  botId: string,
  alias: string,
  id: string,
): Promise<WebhookRequestRow & { content: WebhookRequestContent }> {
  const { rows } = await sql<WebhookRequestRow & { content: WebhookRequestContent }>`
    select ${columns}, content from webhook_request
    where bot_id = ${botId} and alias = ${alias} and id = ${id}`.execute(db)
  if (!rows[0]) throw noRequest(id)
  return rows[0]
}

/** Throws ResourceNotFound, LimitExceeded if the body was too large to keep. */
export async function openOriginal(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  botId: string,
  alias: string,
  id: string,
): Promise<OriginalRequest> {
  const { rows } = await sql<{ original: Buffer | null }>`
    select original from webhook_request
    where bot_id = ${botId} and alias = ${alias} and id = ${id}`.execute(db)
  if (!rows[0]) throw noRequest(id)
  if (!rows[0].original)
    throw new ApiError(
      'LimitExceeded',
      `The body of "${id}" has more than ${maxBodyBytes} bytes, so it was not kept`,
    )
  const { body, ...request } = JSON.parse(
    await secrets.open(rows[0].original, toLocation(botId, alias, id)),
  )
  return { ...request, body: Buffer.from(body, 'base64') }
}
