// A database with several servers in its URL: connections lead to the one that accepts writes, also
// after a failover.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, startEmbedded } from '@botstead/embedded-postgres'
import { sql } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type BreakingProxy,
  openBreakingProxy,
} from '../../../../test/support/breaking-proxy.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import { DatabaseClient } from './client.ts'
import { toSettings } from './connect.ts'
import { parseHosts } from './hosts.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })
const log = pino({ level: 'silent' })
const names = ['one', 'two'] as const
type Name = (typeof names)[number]
let folder: string
const servers = {} as Record<Name, Embedded>
const proxies = {} as Record<Name, BreakingProxy>
let database: Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-hosts-'))
  for (const name of names) {
    servers[name] = await startEmbedded(join(folder, name), log)
    await administer(name, `create table server as select '${name}' as name`)
    await administer(name, 'create table note (id integer)')
    proxies[name] = await openBreakingProxy(servers[name].settings)
  }
})
afterAll(async () => {
  for (const name of names) {
    await proxies[name]?.close()
    await servers[name]?.stop()
  }
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await promote('one')
  for (const name of names) proxies[name].setRefusing(false)
  database = openDatabase(toSettings(url()), { log })
})
afterEach(() => database.close())

const url = (target = '') =>
  `postgres://postgres@127.0.0.1:${proxies.two.port},127.0.0.1:${proxies.one.port}/botstead?` +
  `sslmode=disable${target && `&target_session_attrs=${target}`}`

async function administer(name: Name, text: string) {
  const client = new DatabaseClient(servers[name].settings)
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** The other one rejects writes. */
async function promote(name: Name) {
  for (const one of names) {
    const setting = one === name ? 'off' : 'on'
    await administer(one, `alter system set default_transaction_read_only = ${setting}`)
    await administer(one, 'select pg_reload_conf()')
  }
  await vi.waitFor(async () => {
    const client = new DatabaseClient(servers[name].settings)
    await client.connect()
    const { rows } = await client
      .query('show transaction_read_only')
      .finally(() => client.end())
    expect(rows[0].transaction_read_only).toBe('off')
  })
}

const ask = 'select name from server'
const write = (id: number) =>
  database.run('note', 'insert into note (id) values ($1)', [id])
async function listServers({
  db,
  finds,
  run,
  lazily,
  inTransaction,
}: Database): Promise<string[]> {
  const rows = await Promise.all([
    sql<{ name: string }>`select name from server`.execute(db).then(({ rows }) => rows),
    sql<{ name: string }>`select name from server`
      .execute(finds)
      .then(({ rows }) => rows),
    run<{ name: string }>('ask', ask, []),
    lazily<{ name: string }>('ask', ask, []),
    inTransaction((inside) => inside.run<{ name: string }>('ask', ask, [])),
  ])
  return rows.map(([row]) => row!.name)
}

test('every pool and listening connection leads to the server that accepts writes', async () => {
  expect(new Set(await listServers(database))).toEqual(new Set(['one']))
  const listening = await database.connect()
  expect((await listening.query(ask)).rows).toEqual([{ name: 'one' }])
  await listening.end()
})

test('follows a failover that ends the former server', async () => {
  await listServers(database)
  const listening: pg.Client = await database.connect()
  const ended = new Promise((resolve) => listening.once('end', resolve))
  await promote('two')
  proxies.one.setRefusing(true)
  proxies.one.cutAll()
  await ended
  await vi.waitFor(
    async () => expect(await listServers(database)).toContain('two'),
    10_000,
  )
  expect(new Set(await listServers(database))).toEqual(new Set(['two']))
  await write(1)
})

test('follows a failover after which the former server rejects writes', async () => {
  await write(1)
  const listening: pg.Client = await database.connect()
  listening.on('error', () => {})
  const ended = new Promise((resolve) => listening.once('end', resolve))
  await promote('two')
  await expect(write(2)).rejects.toMatchObject({ code: '25006' })
  await ended
  await vi.waitFor(() => write(3), 10_000)
  expect(new Set(await listServers(database))).toEqual(new Set(['two']))
})

test('reports that no server accepts writes', async () => {
  await promote('two')
  for (const name of names) proxies[name].setRefusing(name === 'two')
  await expect(write(1)).rejects.toThrow(
    `No server of the database accepts writes: 127.0.0.1:${proxies.two.port}, 127.0.0.1:`,
  )
})

test('leads to a server that rejects writes if the URL demands it', async () => {
  const reading = openDatabase(toSettings(url('read-only')), { log })
  expect(await reading.run('ask', ask, [])).toEqual([{ name: 'two' }])
  await reading.close()
})

test('reads the hosts of a URL as libpq does', () => {
  expect(
    parseHosts(
      'postgres://u:p%40@h1:5432,h2/db?target_session_attrs=read-write&sslmode=require',
    ),
  ).toEqual({
    url: 'postgres://u:p%40@h1:5432/db?sslmode=require',
    hosts: [
      { host: 'h1', port: 5432 },
      { host: 'h2', port: 5432 },
    ],
    target: 'read-write',
  })
  expect(parseHosts('postgresql://[::1]:5433,h2:5434/db')!.hosts).toEqual([
    { host: '::1', port: 5433 },
    { host: 'h2', port: 5434 },
  ])
  expect(parseHosts('postgres://u:p@h1:5432/db')).toBeNull()
  for (const wrong of [
    'postgres://h1,/db',
    'postgres://h1,h2/db?target_session_attrs=x',
    'nats://a,b',
  ])
    expect(parseHosts(wrong), wrong).toBeNull()
})
