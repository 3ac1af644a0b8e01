// Using a state, searching for expired states and deleting must not cost more with more states.
// Cost is the number of rows fetched.
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Messaging,
  openMessaging,
  ours,
} from '../../../../test/support/messaging-rows.ts'
import { toLimits } from '../../config/limits.ts'
import type { Database, Db } from '../../db/database.ts'
import { deleteConversation } from '../../messaging/conversations.ts'
import { deleteUser } from '../../messaging/users.ts'
import { expireStates } from './expiry.ts'
import { findState, patchState, type StateDeps } from './states.ts'

const stateCount = 50_000
let messaging: Messaging
beforeAll(async () => {
  messaging = await openMessaging()
  await sql`
    insert into state
      (bot_id, type, subject_id, name, id, payload, revision, expiry_ms, expiry_given, expires_at)
    select ${ours}, 'bot', 'any', 'n' || i, 'state_' || i, '{}', 'one', 86400000, false,
      now() + i * interval '1 minute'
    from generate_series(1, ${stateCount}::int) i`.execute(messaging.db)
}, 60_000)
afterAll(() => messaging.close())

/**
 * Runs work in one transaction, which has its own row counts, with statements prepared as in the
 * server.
 */
async function fetchedBy(work: (deps: StateDeps) => Promise<unknown>): Promise<number> {
  return messaging.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db)
    const run = async (_name: string, text: string, values: unknown[]) =>
      (await db.executeQuery(CompiledQuery.raw(text, values))).rows as never
    const database: Database = { ...messaging.database, run, lazily: run }
    const before = await fetchedSoFar(db)
    await work({
      db,
      database,
      deliveries: messaging.deliveries,
      limits: toLimits('strict'),
    })
    return (await fetchedSoFar(db)) - before
  })
}

async function fetchedSoFar(db: Db): Promise<number> {
  const { rows } = await sql<{ fetched: string }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as fetched
    from pg_stat_xact_user_tables where relname = 'state'`.execute(db)
  return Number(rows[0]!.fetched)
}

const location = {
  botId: ours,
  alias: null,
  type: 'bot',
  subjectId: 'any',
  name: 'n7',
} as const

test.each(['never analysed', 'analysed'])(
  'fetches few rows from a table that was %s',
  async (statistics) => {
    if (statistics === 'analysed') await sql`analyze`.execute(messaging.db)
    expect(await fetchedBy((deps) => findState(deps, location))).toBeLessThan(4)
    expect(
      await fetchedBy((deps) =>
        patchState(deps, location, { payload: { a: 1 }, cause: null }),
      ),
    ).toBeLessThan(8)
    expect(await fetchedBy(expireStates)).toBe(0)
    await sql`update state set expires_at = now() where name in ('n1', 'n2', 'n3')`.execute(
      messaging.db,
    )
    expect(await fetchedBy(expireStates)).toBeLessThan(12)
    const [user, conversation] = [
      await messaging.newUser(),
      await messaging.newConversation(),
    ]
    expect(await fetchedBy(({ db }) => deleteUser(db, ours, user.id, null))).toBe(0)
    expect(
      await fetchedBy(({ db }) => deleteConversation(db, ours, conversation.id, null)),
    ).toBe(0)
  },
)
