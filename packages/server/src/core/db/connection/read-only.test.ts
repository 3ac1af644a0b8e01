// An address that leads to a standby for a moment, as a proxy does during a failover: writes are rejected,
// and succeed as soon as new connections lead to the primary.
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { toApiError } from '../../http/reply-error.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import { isDatabaseOutage, isDatabaseUnavailable } from './unavailable.ts'

let clone: TestDatabase
let direct: Database
let database: Database
beforeAll(async () => {
  clone = await cloneDatabase()
  direct = openDatabase(clone.settings, { log: pino({ level: 'silent' }) })
  await sql`create table note (id integer)`.execute(direct.db)
})
afterAll(async () => {
  await direct.close()
  await clone.drop()
})

/** New connections are like those to a standby, or to a primary. Present ones stay as they are. */
const leadTo = (server: 'standby' | 'primary') =>
  sql`alter database ${sql.id(clone.settings.database!)}
    set default_transaction_read_only = ${sql.lit(server === 'standby' ? 'on' : 'off')}`.execute(
    direct.db,
  )

const text = 'insert into note (id) values ($1)'
const ways: Record<string, () => Promise<unknown>> = {
  query: () => sql`insert into note (id) values (1)`.execute(database.db),
  'transaction of Kysely': () =>
    database.db
      .transaction()
      .execute((trx) => sql`insert into note (id) values (1)`.execute(trx)),
  run: () => database.run('note', text, [1]),
  lazily: () => database.lazily('note', text, [1]),
  transaction: () => database.inTransaction((inside) => inside.run('note', text, [1])),
}

test.each(Object.keys(ways))(
  'a %s leaves a server that accepts no writes',
  async (name) => {
    await leadTo('standby')
    database = openDatabase(clone.settings, { log: pino({ level: 'silent' }) })
    try {
      const failure = await ways[name]!().then(
        () => null,
        (error: { code: string }) => error,
      )
      expect(failure?.code).toBe('25006')
      expect(toApiError(failure).type).toBe('Unavailable')
      expect(isDatabaseUnavailable(failure)).toBe(true)
      expect(isDatabaseOutage(failure)).toBe(true)
      await leadTo('primary')
      await ways[name]!()
    } finally {
      await database.close()
    }
  },
)
