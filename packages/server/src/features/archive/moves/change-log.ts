// Records which rows of a workspace change while it moves: triggers on its tables write their keys
// to move_change in the transaction of the change. The same triggers reject writes once the
// workspace has stopped (reject_moved, migration 0063).
import pg from 'pg'
import type { Database } from '../../../core/db/index.ts'
import type { Tables } from '../../../core/table-rules/index.ts'
import { knownHoldings } from '../export.ts'
import { quoted, readTables } from '../format/catalog.ts'
import type { Holding } from '../format/tenancy.ts'

interface Recorded {
  id: string
  workspaceId: string
}

/**
 * Statistics and logs are written in batches for many workspaces. Rejecting one would reject the
 * others, so what they contain about the last moments is not carried.
 */
const unchecked = [
  'action_run',
  'analytics_count',
  'analytics_day',
  'analytics_progress',
  'bot_log',
  'delivery_attempt',
  'integration_log',
  'integration_view',
  'issue',
  'issue_event',
  'observation',
  'usage_count',
  'audit_record',
  'audit_chain',
  'account',
]

const lockTimeoutMs = 300
const maxAttempts = 200

/**
 * Creates the triggers that are missing. Each waits for the transactions that write the table, but
 * not for long, since new ones wait for it.
 */
export async function installLog(
  { database, tableRules }: { database: Database; tableRules: Tables },
  move: Recorded,
): Promise<void> {
  const session = await database.connect()
  try {
    for (const holding of knownHoldings(await readTables(session), tableRules, 'move'))
      await persistently(session, installation(holding, move))
  } finally {
    await session.end()
  }
}

export async function uninstallLog(database: Database, move: Recorded): Promise<void> {
  const session = await database.connect()
  try {
    const { rows } = await session.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = current_schema()::regnamespace
         and starts_with(proname, $1)`,
      [toPrefix(move)],
    )
    for (const { name } of rows)
      await persistently(session, `drop function if exists ${quoted(name)}() cascade`)
  } finally {
    await session.end()
  }
}

async function persistently(session: pg.Client, text: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.query(
        `begin; set local lock_timeout = ${lockTimeoutMs}; ${text}; commit`,
      )
      return
    } catch (error) {
      await session.query('rollback')
      const { code } = error as { code?: string }
      if ((code !== '55P03' && code !== '40P01') || attempt === maxAttempts) throw error
    }
  }
}

/** Names of PostgreSQL have at most 63 characters. */
const toPrefix = ({ id }: Recorded) => `move_${id.slice(-10).toLowerCase()}_`

function installation({ table, belongs }: Holding, move: Recorded): string {
  const name = quoted(toPrefix(move) + table.name)
  const key = table.key.flatMap((column) => [
    pg.escapeLiteral(column),
    `r.${quoted(column)}`,
  ])
  const trigger = (event: string, rows: string) =>
    `create or replace trigger ${quoted(`${toPrefix(move)}${event}`)} after ${event} on ${quoted(table.name)}
      referencing ${rows} table as changed for each statement execute function ${name}()`
  const id = pg.escapeLiteral(move.id)
  const check = unchecked.includes(table.name)
    ? ''
    : `if found then perform reject_moved(${id}); end if;`
  return `create or replace function ${name}() returns trigger language plpgsql as $move$
    begin
      insert into move_change (move_id, name, key)
        select ${id}, ${pg.escapeLiteral(table.name)}, jsonb_build_object(${key.join(', ')})
        from changed r where (${belongs(pg.escapeLiteral(move.workspaceId))});
      ${check}
      return null;
    end
    $move$;
    ${trigger('insert', 'new')}; ${trigger('update', 'new')}; ${trigger('delete', 'old')}`
}
