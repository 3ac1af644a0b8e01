// Listings that read from a streaming standby. Every client sees its own writes, also those that it
// made at another server. A standby that is late, stopped or the wrong one costs no request.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
  vi,
} from 'vitest'
import { Cluster } from '../../../../../../bench/src/lab/cluster.ts'
import { requirePostgres } from '../../../../../../bench/src/lab/programs.ts'
import { findFreePort } from '../../../../test/support/nats-server.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../../test/support/running-server.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'

const log = pino({ level: 'silent' })

function findPrograms(): string | null {
  try {
    return requirePostgres()
  } catch (error) {
    console.log((error as Error).message)
    return null
  }
}
const programs = findPrograms()

describe.skipIf(!programs)('a replica', () => {
  let folder: string
  let primary: Cluster
  let standby: Cluster
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'botstead-replica-'))
    await chmod(folder, 0o711)
    primary = await Cluster.create(
      programs!,
      join(folder, 'primary'),
      await findFreePort(),
    )
    standby = await Cluster.createStandby(
      primary,
      join(folder, 'standby'),
      await findFreePort(),
    )
    await standby.start()
  }, 90_000)
  afterAll(async () => {
    await standby?.close()
    await primary?.close()
    await rm(folder, { recursive: true, force: true })
  }, 60_000)
  afterEach(() => standby.query('select pg_wal_replay_resume()').catch(() => {}))

  const isStandby = async ({ db }: Database) => {
    const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(
      db,
    )
    return rows[0]!.is
  }

  describe('reads', () => {
    let database: Database
    beforeAll(async () => {
      database = open(standby.url())
      await sql`create table note (number int)`.execute(database.db)
    })
    beforeEach(async () => {
      await sql`truncate note`.execute(database.db)
      await vi.waitFor(
        async () => expect(await database.read(isStandby)).toBe(true),
        10_000,
      )
    })
    afterAll(() => database?.close())

    const open = (replica: string) =>
      openDatabase(
        { connectionString: primary.url() },
        { log, replica: { connectionString: replica } },
      )
    const write = () => sql`insert into note values (1)`.execute(database.db)
    const count = async (inside: Database) => {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from note`.execute(inside.db)
      return rows[0]!.n
    }

    test('see every write before them, wherever they are made', {
      timeout: 60_000,
    }, async () => {
      const seen: number[] = []
      const places = new Map<boolean, number>()
      for (let nth = 1; nth <= 200; nth++) {
        await write()
        const [number, isAway] = await database.read(
          async (inside) => [await count(inside), await isStandby(inside)] as const,
        )
        seen.push(number)
        places.set(isAway, (places.get(isAway) ?? 0) + 1)
      }
      expect(seen).toEqual(seen.map((_, nth) => nth + 1))
      expect(places.get(true)).toBeGreaterThan(0)
    })

    test('concurrent clients see their own writes', { timeout: 60_000 }, async () => {
      const talk = async (client: number) => {
        const seen: number[] = []
        for (let nth = 0; nth < 40; nth++) {
          await sql`insert into note values (${client})`.execute(database.db)
          const own = (inside: Database) =>
            sql<{
              n: number
            }>`select count(*)::int as n from note where number = ${client}`.execute(
              inside.db,
            )
          seen.push((await database.read(own)).rows[0]!.n)
        }
        return seen
      }
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, client) => talk(client)),
      )
      for (const seen of all) expect(seen).toEqual(seen.map((_, nth) => nth + 1))
    })

    test('use the primary while replay is paused, and the standby again afterwards', async () => {
      await standby.query('select pg_wal_replay_pause()')
      await write()
      expect(await database.read(count)).toBe(1)
      expect(await database.read(isStandby)).toBe(false)
      await standby.query('select pg_wal_replay_resume()')
      await vi.waitFor(
        async () => expect(await database.read(isStandby)).toBe(true),
        10_000,
      )
      expect(await database.read(count)).toBe(1)
    })

    test('work while the standby is down', { timeout: 60_000 }, async () => {
      await standby.close()
      await write()
      const begun = performance.now()
      for (let nth = 0; nth < 20; nth++) expect(await database.read(count)).toBe(1)
      expect(performance.now() - begun).toBeLessThan(2_000)
      await standby.start()
      await vi.waitFor(
        async () => expect(await database.read(isStandby)).toBe(true),
        20_000,
      )
    })

    test('run again on the primary when the standby fails between', async () => {
      const places: boolean[] = []
      await database.read(async (inside) => {
        places.push(await isStandby(inside))
        await sql`insert into note values (2)`.execute(inside.db)
      })
      expect(places).toEqual([true, false])
      expect(await count(database)).toBe(1)
    })

    test.each([
      ['the primary itself', () => primary.url()],
      ['nothing', () => 'postgres://postgres@127.0.0.1:1/botstead'],
    ])('use the primary if the URL leads to %s', async (_, url) => {
      const other = open(url())
      try {
        expect(await other.read(isStandby)).toBe(false)
        expect(await other.read(count)).toBe(0)
      } finally {
        await other.close()
      }
    })

    test('use the primary if the URL leads to another cluster', {
      timeout: 60_000,
    }, async () => {
      const strange = await Cluster.create(
        programs!,
        join(folder, 'strange'),
        await findFreePort(),
      )
      const copy = await Cluster.createStandby(
        strange,
        join(folder, 'copy'),
        await findFreePort(),
      )
      await copy.start()
      const other = open(copy.url())
      try {
        expect(await other.read(isStandby)).toBe(false)
      } finally {
        await other.close()
        await copy.close()
        await strange.close()
      }
    })
  })

  test('a client that writes at one server and lists at another sees its writes', {
    timeout: 120_000,
  }, async () => {
    const env = {
      ...settingsOfMany({
        settings: { connectionString: primary.url() },
        drop: async () => {},
      }),
      DATABASE_READ_URL: standby.url(),
    }
    const servers: RunningServer[] = []
    try {
      servers.push(await runServer(env))
      servers.push(await runServer(env))
      const { token, botId } = servers[0]!.credentials
      const call = async (nth: number, path: string, body?: unknown) => {
        const reply = await fetch(servers[nth]!.credentials.url + path, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'x-bot-id': botId,
            'content-type': 'application/json',
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        expect(reply.status).toBeLessThan(300)
        return reply.json()
      }
      const scans = async () => {
        const text = 'select sum(idx_scan + seq_scan)::int as n from pg_stat_user_tables'
        return ((await standby.query(text, 'botstead')) as { n: number }[])[0]!.n
      }
      const before = await scans()
      for (let nth = 0; nth < 60; nth++) {
        const { user } = await call(nth % 2, '/v1/chat/users', {
          tags: {},
          name: `user ${nth}`,
        })
        const { users } = await call((nth + 1) % 2, '/v1/chat/users')
        expect(users[0].id).toBe(user.id)
      }
      // A connection reports its scans at the end of a transaction, at most once a second.
      await vi.waitFor(
        async () => {
          await call(0, '/v1/chat/users')
          expect(await scans()).toBeGreaterThan(before)
        },
        { timeout: 30_000, interval: 500 },
      )
    } finally {
      await Promise.all(servers.map((server) => server.remove()))
    }
  })
})
