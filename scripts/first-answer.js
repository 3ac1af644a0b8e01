// Measures what a stranger waits for, in a fresh clone of this repository: `npm install` and `npm start`
// until the first bot answers, the second start, a change with `npm run dev`, and what the installation has.
// Changes node_modules and the built files of the clone, and a source for a moment. The last line counts the
// checks. try-clone.js runs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getFolderSize } from './lib/folder-size.js'
import { freePort } from './lib/free-port.js'
import { check, finish } from './machines/checks.js'
import { inTime, slowdownSince, timeLoop } from './tests/machine-speed.js'

/**
 * On an idle machine with two cores; the installation without the download of packages. Packages and
 * megabytes are those of `npm install` and of the pages that `npm start` builds.
 */
const aims = {
  packages: 400,
  megabytes: 400,
  firstSeconds: 20,
  secondSeconds: 3,
  silentSeconds: 3,
  changeSeconds: 2,
  botSeconds: 3,
}

/** Starts that are measured: in one of them, the machine may have other work after the fixed loop. */
const maxStarts = 3

const root = fileURLToPath(new URL('..', import.meta.url))
/** The source of an operation, with an expression of its answer. */
const handler = {
  file: join(root, 'packages/server/src/core/accounts/api/admin/account.ts'),
  operation: '/v1/admin/account/me',
  text: 'toAccount(await findAccount(services.db, caller.accountId)) }',
  changed:
    "{ ...toAccount(await findAccount(services.db, caller.accountId)), displayName: 'Changed' } }",
}

const maxChangeSeconds = 60

const data = mkdtempSync(join(tmpdir(), 'botstead-first-'))
const port = await freePort()
const env = { ...process.env, BOTSTEAD_DATA: data, BOTSTEAD_PORT: String(port) }

try {
  const before = timeLoop()
  const start = Date.now()
  await check('npm install', install)
  await check('the first start', () =>
    startAndAsk(start, 'the first answer', aims.firstSeconds, before),
  )
  await check('the second start', startAgain)
  await check('changes with npm run dev', changeSources)
  await check('the installed packages', countInstalled)
} finally {
  rmSync(data, { recursive: true, force: true })
}
finish()

/** Returns the measured times of the first start in time. */
async function startAgain() {
  for (let count = 1; ; count++) {
    try {
      return await startAndAsk(
        Date.now(),
        'the second start',
        aims.secondSeconds,
        timeLoop(),
      )
    } catch (error) {
      if (count === maxStarts) throw error
      console.log(error.message)
    }
  }
}

/** Changes a handler. Returns the measured times as text. The test `hot-reload` measures those of pages. */
async function changeSources() {
  const before = timeLoop()
  const server = startServer('dev')
  try {
    const credentials = await server.untilRunning()
    await server.untilPrinted('The documentation is ready')
    const [change, answer] = await changeHandler(credentials)
    const slowdown = slowdownSince(before)
    const { changeSeconds, botSeconds } = aims
    return [
      `a handler after ${inTime('the change', change, changeSeconds, slowdown)}`,
      `a bot answers after ${inTime('the bot', answer, botSeconds, slowdown)}`,
    ].join(', ')
  } finally {
    await server.stop()
  }
}

/**
 * Changes the answer of an operation, restores it, and measures the second change: returns the seconds until
 * the operation has it, and until a hosted bot answers again.
 */
async function changeHandler(credentials) {
  const headers = { authorization: `Bearer ${credentials.token}` }
  const read = () =>
    call(`${credentials.url}${handler.operation}`, headers).catch(() => null)
  const isChanged = (answer) => answer.account.displayName === 'Changed'
  return whileChanged(
    handler,
    () => untilRead(read, isChanged),
    async () => {
      const from = Date.now()
      const change = await untilRead(read, (answer) => !isChanged(answer))
      await askFirstBot(credentials)
      return [change, (Date.now() - from) / 1000]
    },
  )
}

/** Reads until there is a value that is expected. Returns the seconds; throws after a minute. */
async function untilRead(read, isExpected) {
  const from = Date.now()
  for (;;) {
    const value = await read()
    const seconds = (Date.now() - from) / 1000
    if (value !== null && isExpected(value)) return seconds
    if (seconds > maxChangeSeconds)
      throw new Error('a change is not applied after a minute')
    await pause(20)
  }
}

/** Changes a source, then restores it. Returns the result of the function that runs after the latter. */
async function whileChanged({ file, text, changed }, afterChange, afterRestoring) {
  const source = readFileSync(file, 'utf8')
  if (!source.includes(text)) throw new Error(`${file} does not contain ${text}`)
  try {
    writeFileSync(file, source.replace(text, changed))
    await afterChange()
  } finally {
    writeFileSync(file, source)
  }
  return afterRestoring()
}

async function install() {
  const startedAt = Date.now()
  const child = spawn('npm', ['install'], { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`npm install ended with code ${code}`)
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`
}

async function countInstalled() {
  const folders = ['.', 'tools/pages'].map((name) => join(root, name, 'node_modules'))
  const nested = readdirSync(join(root, 'packages')).map((name) =>
    join(root, 'packages', name, 'node_modules'),
  )
  const count = folders.flatMap(listPackages).length
  const installed = [...folders, ...nested.filter(existsSync)].flatMap(listFolders)
  const sizes = await Promise.all(installed.map(getFolderSize))
  const megabytes = Math.round(sizes.reduce((sum, size) => sum + size) / 1e6)
  if (count > aims.packages) throw new Error(`${count} packages`)
  if (megabytes > aims.megabytes) throw new Error(`${megabytes} MB`)
  return `${count} packages, ${megabytes} MB`
}

/** Without links, and without caches: their names begin with a dot. */
function listFolders(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
}

/** Without the packages of this repository. */
function listPackages(folder) {
  const { packages } = JSON.parse(
    readFileSync(join(folder, '.package-lock.json'), 'utf8'),
  )
  return Object.keys(packages).filter(
    (path) => path.includes('node_modules/') && !packages[path].link,
  )
}

/** Runs `npm start`, talks to the first bot, and stops the server. Returns the measured times as text. */
async function startAndAsk(since, what, limit, loopBefore) {
  const { answeredAt, silence } = await answer()
  // The pages are no longer built now, which would slow the loop down.
  const slowdown = slowdownSince(loopBefore)
  const time = inTime(what, (answeredAt - since) / 1000, limit, slowdown)
  return `${time}, longest silence ${inTime('the longest silence', silence, aims.silentSeconds, slowdown)}`
}

async function answer() {
  const server = startServer()
  try {
    const text = await askFirstBot(await server.untilRunning())
    if (!text.includes('hello')) throw new Error(`the bot answered "${text}"`)
    return { answeredAt: Date.now(), silence: server.longestSilence() }
  } finally {
    await server.stop()
  }
}

function startServer(command = 'start') {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 'pipe', 'inherit']
  const child = spawn('npm', ['run', command], { cwd: root, env, stdio, detached: true })
  let output = ''
  let [last, longest] = [Date.now(), 0]
  const note = () => {
    longest = Math.max(longest, Date.now() - last)
    last = Date.now()
  }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text)
    output += text
    note()
  })
  const untilPrinted = async (text) => {
    while (!output.includes(text)) {
      if (child.exitCode !== null)
        throw new Error(`npm ended with code ${child.exitCode}`)
      await pause(20)
    }
  }
  return {
    untilPrinted,
    async untilRunning() {
      await untilPrinted('Botstead is running.')
      return JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8'))
    },
    longestSilence: () => longest / 1000,
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      process.kill(-child.pid, 'SIGINT')
      await ended
    },
  }
}

/** Sends a message as a visitor, and returns the bot's answer. */
async function askFirstBot({ url, webhookId }) {
  const chat = `${url}/chat/${webhookId}`
  const { key } = await call(`${chat}/users`, {}, {})
  const headers = { 'x-user-key': key }
  const { conversation } = await call(`${chat}/conversations`, headers, {})
  const payload = { type: 'text', text: 'hello' }
  await call(`${chat}/messages`, headers, { conversationId: conversation.id, payload })
  for (let tries = 0; tries < 500; tries++) {
    const { messages } = await call(
      `${chat}/conversations/${conversation.id}/messages`,
      headers,
    )
    if (messages.length > 1) return messages[0].payload.text
    await pause(20)
  }
  throw new Error('the bot did not answer for ten seconds')
}

/** @returns {Promise<any>} */
async function call(address, headers, body) {
  const response = await fetch(address, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw new Error(`${address} answered ${response.status} ${await response.text()}`)
  return response.json()
}
