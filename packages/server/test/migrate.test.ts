import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

it('leaves a database alone that is up to date', async () => {
  const opened = openDatabase(database.settings, { log })
  await migrate(opened, log)
  expect(await opened.run('count', 'select count(*)::int as count from migration', [])).toEqual([{ count: expect.any(Number) }])
  await opened.close()
})
