import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '@botstead/lib'
import { expect, test } from 'vitest'
import { openKeys } from '../installation/keys.ts'
import { readConfig } from './config.ts'
import { ConfigError } from './environment.ts'

test('has a default for every setting', () => {
  expect(readConfig({})).toMatchObject({
    port: 4000,
    host: '127.0.0.1',
    dataFolder: join(process.cwd(), 'data'),
    databaseUrl: null,
    databaseDirectUrl: null,
    databaseReadUrl: null,
    natsUrls: [],
    drainSeconds: 0,
    retrySeconds: [1, 5],
    corsOrigins: [],
    chatOrigins: [],
  })
})

test('reads the settings', () => {
  const config = readConfig({
    BOTSTEAD_PORT: '0',
    BOTSTEAD_PUBLIC_URL: 'https://bots.example.org/',
    BOTSTEAD_RETRY_SECONDS: '0.5, 30',
    BOTSTEAD_CORS_ORIGINS: 'https://a.example, https://b.example',
    BOTSTEAD_CHAT_ORIGINS: 'https://c.example',
  })
  expect(config).toMatchObject({
    port: 0,
    publicUrl: 'https://bots.example.org',
    retrySeconds: [0.5, 30],
    corsOrigins: ['https://a.example', 'https://b.example'],
    chatOrigins: ['https://c.example'],
  })
})

test('reads the URLs of a NATS cluster, and does not quote a wrong one', () => {
  const urls = (text: string) => readConfig({ NATS_URL: text }).natsUrls
  expect(urls('tls://me:pass@a:4222/, nats://b')).toEqual([
    'tls://me:pass@a:4222',
    'nats://b',
  ])
  expect(() => urls('nats://a, http://me:pass@b')).toThrow(
    'NATS_URL must be a URL that begins with nats:// or tls://',
  )
  expect(() => urls('nats://me:5%@a')).toThrow('NATS_URL must encode each %')
})

test('URLs of workspaces reach public addresses only, unless BOTSTEAD_URL_NETWORK allows others', () => {
  const reached = (env: NodeJS.ProcessEnv) =>
    ['8.8.8.8', '10.1.2.3', '127.0.0.1'].filter(readConfig(env).urlNetwork)
  expect(reached({})).toEqual(['8.8.8.8'])
  expect(reached({ BOTSTEAD_URL_NETWORK: 'public, 10.0.0.0/8' })).toEqual([
    '8.8.8.8',
    '10.1.2.3',
  ])
  expect(reached({ BOTSTEAD_URL_NETWORK: 'none' })).toEqual([])
  expect(() => readConfig({ BOTSTEAD_URL_NETWORK: 'localhost' })).toThrow(
    'BOTSTEAD_URL_NETWORK must be none, or a list of public, addresses and networks such as "public, ' +
      '10.0.0.0/8", not "localhost"',
  )
})

test('a model requires a URL and a name', () => {
  expect([readConfig({}).model, readConfig({}).embeddings]).toEqual([null, null])
  const here = {
    BOTSTEAD_MODEL_URL: 'http://127.0.0.1:11434/v1/',
    BOTSTEAD_MODEL: 'llama',
  }
  expect(readConfig(here)).toMatchObject({
    model: { url: 'http://127.0.0.1:11434/v1', model: 'llama', key: null },
    embeddings: null,
  })
  expect(() => readConfig({ ...here, BOTSTEAD_MODEL: '' })).toThrow(ConfigError)
  for (const [name, url] of [
    ['BOTSTEAD_MODEL', 'BOTSTEAD_MODEL_URL'],
    ['BOTSTEAD_EMBEDDINGS_MODEL', 'BOTSTEAD_EMBEDDINGS_URL'],
  ] as const)
    expect(() => readConfig({ [name]: 'llama' })).toThrow(`${name} requires ${url}`)
  expect(() => readConfig({ ...here, BOTSTEAD_MODEL_KEY: '…' })).toThrow(
    /_MODEL_KEY must consist/,
  )
})

test('reads the settings of the bucket', () => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
  expect(readConfig({}).s3).toBeNull()
  expect(readConfig({ S3_BUCKET: 'b', ...keys }).s3).toMatchObject({
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    bucket: 'b',
    accessKeyId: 'id',
  })
  expect(
    readConfig({
      S3_BUCKET: 'b',
      S3_ENDPOINT: 'http://minio:9000/',
      S3_REGION: 'r',
      ...keys,
    }).s3,
  ).toMatchObject({
    endpoint: 'http://minio:9000',
    region: 'r',
  })
  expect(() => readConfig({ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id' })).toThrow(
    ConfigError,
  )
  expect(() => readConfig({ S3_BUCKET: '../b', ...keys })).toThrow(ConfigError)
})

test.each([
  ['BOTSTEAD_PORT', 'http'],
  ['BOTSTEAD_PORT', '65536'],
  ['BOTSTEAD_PORT', '-1'],
  ['BOTSTEAD_PORT', '40.5'],
  ['BOTSTEAD_PUBLIC_URL', 'bots.example.org'],
  ['BOTSTEAD_PUBLIC_URL', 'ftp://bots.example.org'],
  ['DATABASE_URL', 'mysql://root@127.0.0.1/x'],
  ['DATABASE_URL', '127.0.0.1:5432'],
  ['DATABASE_DIRECT_URL', 'mysql://root@127.0.0.1/x'],
  ['BOTSTEAD_MASTER_KEY', 'secret'],
  ['BOTSTEAD_MASTER_KEY', 'g'.repeat(64)],
  ['BOTSTEAD_CHAT_KEY', 'allo'],
  ['BOTSTEAD_RETRY_SECONDS', '1,soon'],
  ['BOTSTEAD_RETRY_SECONDS', '-1'],
  ['BOTSTEAD_BOT_MEMORY_MB', '1'],
  ['BOTSTEAD_SHUTDOWN_SECONDS', 'never'],
  ['BOTSTEAD_LOG_LEVEL', 'loud'],
])('rejects %s=%s in one sentence that names the variable', (name, value) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name} must [^\n]+$`))
})

test.each(['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'])(
  'rejects %s without DATABASE_URL',
  (name) => {
    expect(() => readConfig({ [name]: 'postgres://me:hunter2@127.0.0.1/x' })).toThrow(
      new ConfigError(`${name} requires DATABASE_URL: set both`),
    )
  },
)

test('does not repeat the password of an invalid DATABASE_URL', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgrez://me:hunter2@127.0.0.1/x' })).toThrow(
    /^(?!.*hunter2)/,
  )
})

test('creates keys once, readable by their owner only', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'botstead-keys-'))
  const settings = { dataFolder, masterKey: null, chatKey: null }
  const keys = await openKeys(settings)
  expect(await openKeys(settings)).toEqual(keys)
  expect([keys.master.length, keys.chat.length >= 32]).toEqual([32, true])
  const file = join(dataFolder, 'keys/master.key')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await chmod(file, 0o644)
  await expect(openKeys(settings)).rejects.toThrow(
    new StartError(`The key file ${file} can be read by other users: chmod 600 ${file}`),
  )
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, 10))
  await chmod(file, 0o600)
  await expect(openKeys(settings)).rejects.toThrow(/is damaged/)
  await rm(dataFolder, { recursive: true })
})

test('reads the schedule of backups, and their bucket without one for files', () => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }
  expect(
    readConfig({
      ...keys,
      BOTSTEAD_BACKUP_SCHEDULE: '0 3 * * *',
      BOTSTEAD_BACKUP_BUCKET: 'copies',
      BOTSTEAD_BACKUP_VERIFY: '0',
    }),
  ).toMatchObject({
    s3: null,
    backupSchedule: '0 3 * * *',
    backupKeep: 7,
    backupVerify: false,
    backupBucket: { bucket: 'copies', endpoint: 'https://s3.us-east-1.amazonaws.com' },
  })
  expect(() => readConfig({ BOTSTEAD_BACKUP_SCHEDULE: 'daily' })).toThrow(
    'BOTSTEAD_BACKUP_SCHEDULE must be a cron expression of five fields such as "0 3 * * *", not "daily"',
  )
  expect(() => readConfig({ BOTSTEAD_BACKUP_BUCKET: 'copies' })).toThrow(
    'BOTSTEAD_BACKUP_BUCKET requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both',
  )
})
