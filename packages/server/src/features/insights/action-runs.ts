// Owns the table action_run: a log of action calls. Neither callers nor commits wait for it; if the
// database is too slow, runs are dropped instead of queued without limit.

import { shareCommits, storableText } from '@botstead/lib'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { GetRedactors } from '../../core/compute/index.ts'
import { type Database, type Db, statement } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'

interface ActionRun {
  botId: string
  /** Alias of the action's integration; null for the bot's own action. */
  alias: string | null
  integration: string | null
  action: string
  input: Record<string, unknown>
  /** Null after a failure. */
  output: Record<string, unknown> | null
  error: string | null
  cause: string | null
  startedAt: Date
  ms: number
  /** The result came from the cache; the code was not called. */
  cached: boolean
}

export interface ActionRuns {
  record(run: ActionRun): void
  close(): Promise<void>
}

const maxWaiting = 1_000
/** Maximum characters of an input or output as JSON. */
const maxCharacters = 16_384

export function openActionRuns(
  database: Database,
  log: Logger,
  getRedactors: GetRedactors,
): ActionRuns {
  const waiting = new Set<Promise<void>>()
  const commits = shareCommits<ActionRun, void>(async (runs) => {
    const rows = await Promise.all(
      runs.map(async (run) => {
        const { logs } = await getRedactors(run.botId)
        const { input, output, error } = run
        return toRow(
          logs ? { ...run, ...(await logs.value({ input, output, error })) } : run,
        )
      }),
    )
    await database.lazily(...recordAll({ runs: JSON.stringify(rows) }))
    return runs.map(() => undefined)
  })
  return {
    record(run) {
      if (waiting.size >= maxWaiting)
        return log.warn(
          { botId: run.botId },
          'an action run was not recorded: the queue is full',
        )
      const written = commits
        .write(run)
        .catch((error) =>
          log.warn({ err: error, botId: run.botId }, 'an action run was not recorded'),
        )
        .finally(() => waiting.delete(written))
      waiting.add(written)
    },
    close: async () => void (await Promise.all(waiting)),
  }
}

/** Runs of deleted bots are dropped. */
const recordAll = statement<{ runs: string }>(
  'record-action-runs',
  `
  insert into action_run (bot_id, id, alias, integration, action, succeeded, ms, error, input,
    input_truncated, output, output_truncated, cause, started_at, cached)
  select present.id, run.id, alias, integration, action, error is null, ms, error, input, input_truncated,
    output, output_truncated, cause, started_at, cached
  from jsonb_to_recordset(:runs::jsonb) as run (
    bot_id text, id text, alias text, integration text, action text, ms int, error text, input jsonb,
      input_truncated bool, output jsonb, output_truncated bool,
    cause text, started_at timestamptz, cached bool
  ) join bot present on present.id = run.bot_id`,
)

function toRow({ botId, startedAt, input, output, error, ...run }: ActionRun) {
  const [gave, got] = [
    kept(input),
    output === null ? { value: null, truncated: false } : kept(output),
  ]
  return {
    ...run,
    bot_id: botId,
    id: newId('actionRun'),
    started_at: startedAt,
    error: error && storableText(error, 2_000),

    input: gave.value,
    input_truncated: gave.truncated,
    output: got.value,
    output_truncated: got.truncated,
  }
}

/**
 * Truncates a large value to the beginning of its JSON text. Replaces characters that the database
 * cannot store.
 */
function kept(value: Record<string, unknown>): { value: unknown; truncated: boolean } {
  const text = JSON.stringify(value)
  if (text.length > maxCharacters)
    return {
      value: {
        ...costsIn(value),
        beginning: storableText(text, 2_000).replaceAll(unstorable, '\\ufffd'),
      },
      truncated: true,
    }
  return {
    value:
      text.search(unstorable) >= 0
        ? JSON.parse(text.replaceAll(unstorable, '\\ufffd'))
        : value,
    truncated: false,
  }
}
/** Keeps the costs, which the bot's analytics read, also of a truncated output. */
function costsIn(value: Record<string, unknown>): Record<string, unknown> {
  const short = Object.entries(value).filter(
    ([name, part]) =>
      ['usage', 'botpress', 'metadata'].includes(name) &&
      JSON.stringify(part).length <= 1_000,
  )
  return JSON.parse(
    JSON.stringify(Object.fromEntries(short)).replaceAll(unstorable, '\\ufffd'),
  )
}

/** Escapes of NUL and of surrogates, as JSON writes them. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/gi

export interface ActionRunRow {
  id: string
  integration: string | null
  action: string
  succeeded: boolean
  ms: number
  error: string | null
  input: Record<string, unknown>
  input_truncated: boolean
  output: Record<string, unknown> | null
  output_truncated: boolean
  started_at: Date
  cached: boolean
}

interface ActionRunListing {
  /** Name of the integration. */
  integration: string
  from?: Date | undefined
  until?: Date | undefined
  /** The last run of the previous page. */
  position: { at: Date; id: string } | null
  limit: number
}

/** Returns the calls in the handling of an event, oldest first. */
export async function listCausedRuns(
  db: Db,
  botId: string,
  eventId: string,
  limit: number,
): Promise<ActionRunRow[]> {
  return (await db
    .selectFrom('action_run')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('cause', '=', eventId)
    .where(sql<boolean>`hashtextextended(cause, 0) = hashtextextended(${eventId}, 0)`)
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute()) as ActionRunRow[]
}

/** Returns the newest first. */
export async function listActionRuns(
  db: Db,
  botId: string,
  { integration, from, until, position, limit }: ActionRunListing,
): Promise<ActionRunRow[]> {
  let query = db
    .selectFrom('action_run')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('integration', '=', integration)
  if (from) query = query.where('started_at', '>=', from)
  if (until) query = query.where('started_at', '<=', until)
  if (position)
    query = query.where(sql<boolean>`(started_at, id) < (${position.at}, ${position.id})`)
  return (await query
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()) as ActionRunRow[]
}
