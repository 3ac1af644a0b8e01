// The findings of doctor: it reports each wrong setting once, and no correct setting.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cloneDatabase,
  type TestDatabase,
  toUrl,
} from '../../../test/support/database.ts'
import { readConfig } from '../../core/config/config.ts'
import { examine } from './doctor/examine.ts'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-doctor-'))
  database = await cloneDatabase()
  await mkdir(join(folder, 'keys'), { mode: 0o700 })
  await writeFile(join(folder, 'keys', 'master.key'), 'ab'.repeat(32), { mode: 0o600 })
})
afterAll(async () => {
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const found = async (env: NodeJS.ProcessEnv = {}) =>
  examine(
    readConfig({ BOTSTEAD_DATA: folder, DATABASE_URL: toUrl(database.settings), ...env }),
  )
/** The tests' database may lose writes, which is a finding itself. */
const bad = async () =>
  (await found()).filter(
    ({ state, advice }) =>
      state === 'bad' && !advice?.includes('may lose acknowledged writes'),
  )
/** Returns the findings that are not good with these settings but are good without them. */
async function faults(env: NodeJS.ProcessEnv): Promise<string[]> {
  const usual = new Set(
    (await found()).filter(({ state }) => state !== 'good').map(({ what }) => what),
  )
  return (await found(env))
    .filter(({ state, what }) => state !== 'good' && !usual.has(what))
    .map(({ what, state }) => `${state}: ${what}`)
}

test('reports good findings too, and a remedy for each other finding', async () => {
  const all = await found()
  expect(await bad()).toEqual([])
  for (const { state, what, advice } of all)
    expect(state === 'good' || Boolean(advice), what).toBe(true)
  for (const part of [
    'installation',
    'network',
    'keys',
    'hosted code',
    'database',
    'server',
  ])
    expect(all.map(({ about }) => about)).toContain(part)
  expect(all.filter(({ state }) => state === 'good').map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('no telemetry'),
      'only the owner can open the key folder',
      expect.stringContaining('up to date'),
    ]),
  )
})

test.each([
  [
    'open to the network',
    { BOTSTEAD_HOST: '0.0.0.0' },
    [
      'advice: listens on 0.0.0.0: reachable from other machines',
      'advice: no rate limits',
    ],
  ],
  [
    'no TLS in front',
    {
      BOTSTEAD_HOST: '0.0.0.0',
      BOTSTEAD_PUBLIC_URL: 'http://bots.example.org',
      BOTSTEAD_LIMITS: 'strict',
    },
    ['bad: clients use http://bots.example.org'],
  ],
  [
    'a proxy that is not trusted',
    { BOTSTEAD_PUBLIC_URL: 'https://bots.example.org', BOTSTEAD_LIMITS: 'strict' },
    ['advice: the server does not read client addresses from the proxy'],
  ],
  [
    'a trusted proxy',
    {
      BOTSTEAD_PUBLIC_URL: 'https://bots.example.org',
      BOTSTEAD_LIMITS: 'strict',
      BOTSTEAD_TRUST_PROXY: '1',
    },
    [],
  ],
  ['any origin', { BOTSTEAD_CORS_ORIGINS: '*' }, ['bad: allowed browser origins: *']],
  [
    'internal addresses for hosted code',
    { BOTSTEAD_BOT_NETWORK: 'public, 10.0.0.0/8' },
    ['advice: hosted code can reach internal addresses: 10.0.0.1'],
  ],
  [
    'unreachable model',
    { BOTSTEAD_MODEL_URL: 'http://127.0.0.1:9/v1', BOTSTEAD_MODEL: 'best' },
    [expect.stringContaining('which does not respond (ECONNREFUSED)')],
  ],
  [
    'unreachable database',
    { DATABASE_URL: 'postgres://someone:secret@127.0.0.1:9/none' },
    ['bad: the database at DATABASE_URL cannot be reached (ECONNREFUSED)'],
  ],
])('reports: %s', async (_, env, expected) => {
  expect(await faults(env)).toEqual(expected)
})

test.skipIf(process.platform === 'win32')(
  'reports keys that other users can read',
  async () => {
    await chmod(join(folder, 'keys'), 0o755)
    await chmod(join(folder, 'keys', 'master.key'), 0o644)
    expect((await bad()).map(({ advice }) => advice)).toEqual([
      expect.stringContaining('chmod 600'),
      expect.stringContaining('chmod 700'),
    ])
  },
)
