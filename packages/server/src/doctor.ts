// Looks an installation over, as it would be started with these settings: what is as it should be, and what to do about the rest. It changes nothing,
// and works whether the server runs or not; what only a running server knows, it asks there.
import { constants } from 'node:fs'
import { access, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Health } from '@botstead/contract'
import pg from 'pg'
import { NoSuchBlob } from './blobs/blobs.ts'
import type { Config } from './config.ts'
import { findUnapplied } from './db/migrate.ts'
import { othersRefused } from './delivery/hosting-trust.ts'
import type { Credentials } from './first-start.ts'

export interface Finding {
  about: 'installation' | 'network' | 'keys' | 'database' | 'server'
  what: string
  /** `advice`: it works, and could be safer. */
  state: 'good' | 'bad' | 'advice'
  /** What to do, unless it is good. */
  advice?: string
}

type Check = (config: Config) => Promise<Finding | null>

/** In the order in which a person would go through them. */
export async function examine(config: Config): Promise<Finding[]> {
  const checks: Check[] = [node, notRoot, dataFolder, space, bucket, openFiles, inspector, masterKey, credentialsFile, binding, publicUrl, proxies]
  const found = (await Promise.all(checks.map((check) => check(config)))).filter((finding) => finding !== null)
  return [...found, ...(await database(config)), ...(await server(config))]
}

const finding = (about: Finding['about'], what: string, isGood: boolean, advice: string, otherwise: 'bad' | 'advice' = 'bad'): Finding =>
  isGood ? { about, what, state: 'good' } : { about, what, state: otherwise, advice }

const oldestNode = [20, 19] as const

async function node() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return finding('installation', `Node ${process.versions.node}`, isNewEnough, `install Node ${oldestNode.join('.')} or newer`)
}

async function notRoot() {
  if (!process.getuid) return null
  const isRoot = process.getuid() === 0
  return finding(
    'installation',
    isRoot ? 'runs as root' : 'runs as an ordinary user',
    !isRoot,
    'start it as a user that owns nothing but its data folder',
    'advice',
  )
}

async function dataFolder({ dataFolder }: Config) {
  const there = await stat(dataFolder).catch(() => null)
  if (!there) return finding('installation', `the data folder ${dataFolder} is made at the first start`, true, '')
  const canWrite = await access(dataFolder, constants.W_OK).then(
    () => true,
    () => false,
  )
  return finding('installation', `the data folder ${dataFolder} can be written`, canWrite, 'let the user that starts the server own it, or set BOTSTEAD_DATA')
}

const leastFree = 0.05

async function space({ dataFolder }: Config) {
  const disk = await statfs(dataFolder).catch(() => statfs('.'))
  const free = disk.bavail / disk.blocks
  return finding(
    'installation',
    `${Math.floor(free * 100)} % of the disk is free`,
    free >= leastFree,
    'make room: below 5 % the server says that it is not ready',
  )
}

/** A bucket that lets us look for what is not there is one that knows us. */
async function bucket({ s3 }: Config) {
  if (!s3) return null
  const { openS3Blobs } = await import('./blobs/s3.ts')
  const trouble = await openS3Blobs(s3)
    .read('doctor')
    .then(
      () => null,
      (error) => (error instanceof NoSuchBlob ? null : reasonOf(error)),
    )
  const what = trouble === null ? `the bucket ${s3.bucket} can be read` : `the bucket ${s3.bucket} cannot be read: ${trouble}`
  return finding('installation', what, trouble === null, 'see to S3_BUCKET, S3_ENDPOINT, S3_REGION and the keys')
}

const reasonOf = (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message)

/** A listener holds a connection, and a connection a file. */
const enoughFiles = 16_384

async function openFiles() {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const text = /^Max open files\s+(\S+)/m.exec(limits)?.[1]
  if (!text) return null
  const isEnough = text === 'unlimited' || Number(text) >= enoughFiles
  return finding(
    'installation',
    `${text} files may be open`,
    isEnough,
    `for thousands of listeners: ulimit -n ${enoughFiles}, or LimitNOFILE in its systemd unit`,
    'advice',
  )
}

async function inspector() {
  const isOpen = /--inspect/.test(process.env.NODE_OPTIONS ?? '')
  return finding(
    'installation',
    isOpen ? 'NODE_OPTIONS opens the inspector' : 'no inspector is open',
    !isOpen,
    'take --inspect out of NODE_OPTIONS: who reaches it controls the server',
  )
}

async function masterKey({ dataFolder, masterKey }: Config) {
  if (masterKey) return finding('keys', 'the master key comes from BOTSTEAD_MASTER_KEY', true, '')
  const file = join(dataFolder, 'keys', 'master.key')
  const there = await stat(file).catch(() => null)
  if (!there) return finding('keys', 'the master key is made at the first start', true, '')
  return finding(
    'keys',
    'the master key is readable by its owner alone',
    (there.mode & 0o077) === 0,
    `chmod 600 ${file}, and keep a copy of it apart from the backups of the database`,
  )
}

async function credentialsFile({ dataFolder }: Config) {
  const file = join(dataFolder, 'credentials.json')
  const there = await stat(file).catch(() => null)
  return there && finding('keys', 'the first token is readable by its owner alone', (there.mode & 0o077) === 0, `chmod 600 ${file}`)
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.')

async function binding({ host, publicUrl }: Config) {
  if (isLoopback(host)) return finding('network', `listens on ${host}: this machine only`, true, '')
  return finding('network', `listens on ${host}, for other machines`, publicUrl !== null, 'say where clients reach it: BOTSTEAD_PUBLIC_URL=https://…', 'advice')
}

async function publicUrl({ publicUrl }: Config) {
  if (publicUrl === null) return null
  const { protocol, hostname } = new URL(publicUrl)
  return finding(
    'network',
    `clients reach it at ${publicUrl}`,
    protocol === 'https:' || isLoopback(hostname),
    'put TLS in front: tokens travel in every request',
  )
}

async function proxies({ publicUrl, trustProxy, host }: Config) {
  if (publicUrl === null || !isLoopback(host)) return null
  return finding(
    ...(['network', 'the proxy in front tells who calls', Boolean(trustProxy)] as const),
    ...(['set BOTSTEAD_TRUST_PROXY=1: otherwise all callers are counted as one address', 'advice'] as const),
  )
}

/** Settings without which a crash of the machine loses what was answered for. */
const kept = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

async function database({ databaseUrl }: Config): Promise<Finding[]> {
  if (!databaseUrl) return [finding('database', 'embedded: started, set up and stopped by the server', true, '')]
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return await examineDatabase(client)
  } catch (error) {
    return [finding('database', `DATABASE_URL cannot be reached (${(error as { code?: string }).code ?? 'no answer'})`, false, 'start it, or mend the address')]
  } finally {
    await client.end().catch(() => {})
  }
}

async function examineDatabase(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, (select rolsuper from pg_roles where rolname = current_user) as super, ${Object.keys(kept)
      .map((name) => `current_setting('${name}') as ${name}`)
      .join(', ')}`,
  )
  const [is] = rows as [Record<string, string> & { version: number; super: boolean }]
  const unapplied = await findUnapplied(client)
  const off = Object.entries(kept).filter(
    ([name, value]) => is[name] !== value && !(name === 'synchronous_commit' && ['remote_apply', 'remote_write'].includes(is[name]!)),
  )
  return [
    finding('database', `PostgreSQL ${Math.floor(is.version / 10_000)}`, is.version >= 150_000, 'use PostgreSQL 15 or newer'),
    finding(
      'database',
      off.length === 0 ? 'keeps what it acknowledges' : `${off.map(([name]) => name).join(', ')} is off`,
      off.length === 0,
      'set it to on: a crash may lose what was answered for',
    ),
    finding(
      'database',
      is.super ? 'its user is a superuser' : 'its user is an ordinary one',
      !is.super,
      'give Botstead a user that owns its own database and nothing else',
      'advice',
    ),
    finding(
      'database',
      unapplied === 0 ? 'is up to date' : `${unapplied} migrations are to be applied`,
      unapplied === 0,
      'the next start applies them, or botstead migrate',
      'advice',
    ),
  ]
}

async function server({ dataFolder }: Config): Promise<Finding[]> {
  const known = await readFile(join(dataFolder, 'credentials.json'), 'utf8').then(
    (text) => JSON.parse(text) as Partial<Credentials>,
    () => null,
  )
  const health = known?.url && (await askHealth(known.url, known.token ?? ''))
  if (!health) return [finding('server', 'does not run', false, 'botstead start: then this says more', 'advice')]
  const { ready, troubles, sandbox, version } = health
  return [
    finding('server', ready ? `Botstead ${version} is ready` : troubles.join('; '), ready, 'see its log'),
    finding('server', wallsOf(sandbox), sandbox.tier === 2, sandbox.missing[0] ?? 'run code that you wrote or reviewed only', sandbox.tier ? 'advice' : 'bad'),
  ]
}

const wallsOf = ({ tier, refusal, protections }: Health['sandbox']) =>
  tier === 2
    ? 'hosted code has namespaces of its own (tier 2)'
    : tier === 1
      ? `hosted code is kept from accidents, not from malice (tier 1)${protections.includes(othersRefused) ? `: ${othersRefused}` : ', also that of workspaces that may distrust each other'}`
      : (refusal ?? 'hosted code is refused')

async function askHealth(url: string, token: string): Promise<Health | null> {
  const reply = await fetch(`${url}/v1/platform/health`, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  )
  return reply?.ok ? ((await reply.json()) as { health: Health }).health : null
}
