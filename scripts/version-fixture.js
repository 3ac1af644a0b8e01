// Records an installation of a released version, from which upgrades are tested:
//
//   node scripts/version-fixture.js <version> <folder of this version>
//
// The folder is a built clone or an installation of the package. Starts that version on Debian's PostgreSQL,
// fills it through its API, and writes packages/server/test/versions/<version>: a dump of the database, the
// data folder, a backup, and the version's own answers. Needs a build of this clone.
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { startServer } from '../bench/dist/botstead-server.js'
import { Cluster } from '../bench/dist/lab/cluster.js'
import { toCommand } from '../bench/dist/lab/other-version.js'
import { requirePostgres } from '../bench/dist/lab/programs.js'
import { findFreePort } from '../bench/dist/lab/servers.js'
import { fill, flowDocument } from './version-content.js'

const run = promisify(execFile)
const [version, source] = process.argv.slice(2)
if (!version || !source) throw new Error('Specify the version and its folder')
const target = fileURLToPath(
  new URL(`../packages/server/test/versions/${version}`, import.meta.url),
)
const folder = await mkdtemp(join(tmpdir(), 'botstead-fixture-'))
// PostgreSQL's user needs to reach its folder.
await chmod(folder, 0o711)
const data = join(folder, 'data')
const document = join(folder, 'bot.json')
const programs = requirePostgres()
const cluster = await Cluster.create(
  programs,
  join(folder, 'postgres'),
  await findFreePort(),
)
const settings = {
  DATABASE_URL: cluster.url(),
  // Failed deliveries become dead letters at once.
  BOTSTEAD_RETRY_SECONDS: '0.1',
  BOTSTEAD_URL_NETWORK: 'public,127.0.0.0/8',
}
try {
  await mkdir(data, { mode: 0o700 })
  await mkdir(target, { recursive: true })
  const server = await startServer(data, [], settings, undefined, toCommand(source))
  await writeFile(document, JSON.stringify(flowDocument))
  const deployFlows = () => botstead('deploy', document, '--name', 'flows')
  const answers = await fill(server.credentials, deployFlows).finally(() =>
    server.close(),
  )
  await writeFile(
    join(target, 'answers.json.gz'),
    gzipSync(JSON.stringify(answers, null, 1)),
  )
  await shortenCode()
  await rm(join(target, 'installation.backup'), { force: true })
  await botstead('backup', join(target, 'installation.backup'), '--with-key')
  await writeFile(join(target, 'database.sql.gz'), gzipSync(await dump(), { level: 9 }))
  await pack()
} finally {
  await cluster.close()
  await rm(folder, { recursive: true, force: true })
}

/**
 * Replaces large bundles, such as the engine of flows, by a small bot that echoes: with them, a fixture has
 * more than a megabyte.
 */
async function shortenCode() {
  const small = await readFile(
    new URL('../bench/bots/plain-bot.cjs', import.meta.url),
    'utf8',
  )
  for (const table of ['bot_code', 'bot_version_code'])
    await cluster.query(
      `update ${table} set code = $plain$${small}$plain$ where length(code) > 20000`,
      'botstead',
    )
}

/** Runs a command of the other version, and returns its output. */
async function botstead(...args) {
  const env = { ...process.env, BOTSTEAD_DATA: data, ...settings }
  return (await run(process.execPath, [toCommand(source), ...args], { env })).stdout
}

/** Returns SQL that any client can run: inserts in place of COPY, without commands of psql. */
async function dump() {
  const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges']
  const { stdout } = await run(join(programs, 'pg_dump'), [...options, cluster.url()], {
    maxBuffer: 2 ** 28,
  })
  return stdout.replaceAll(/^\\.*\n/gm, '')
}

/** Packs keys, credentials and contents of files. */
async function pack() {
  const names = ['keys', 'files', 'credentials.json']
  const options = [
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
  ]
  await run('tar', [
    '-czf',
    join(target, 'data.tar.gz'),
    ...options,
    '-C',
    data,
    ...names,
  ])
}
