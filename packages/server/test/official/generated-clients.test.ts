// Typed clients that the command of docs/compatibility.md writes, in Python and Go, perform ten operations.
// Installs its generator for the time of the test.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBlocks } from '../support/documents.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

const run = promisify(execFile)
const programs = fileURLToPath(new URL('../support/generated-clients/', import.meta.url))
const { text: command } = readBlocks('docs/compatibility.md').find(({ text }) =>
  text.includes('openapi-generator-cli'),
)!
const generator = command.split(' ')[1]!
/** Libraries of Debian, which the generated client in Go imports. */
const goLibraries = '/usr/share/gocode'

let folder: string
let server: RunningServer
let env: NodeJS.ProcessEnv
/** Why the tests are left out. */
let missing: string | null

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-clients-'))
  missing = await findMissing()
  if (missing) return
  server = await runServer()
  const { url, token, botId } = server.credentials
  env = {
    ...process.env,
    URL: url,
    TOKEN: token,
    BOT: botId,
    CONVERSATION: await converse(),
  }
}, 120_000)
afterAll(async () => {
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('a generated client in Python performs ten operations', { timeout: 60_000 }, async ({
  skip,
}) => {
  if (missing) skip(missing)
  const client = await generate('python')
  const { stdout } = await run('/usr/bin/python3', [join(programs, 'client.py')], {
    env: { ...env, PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' },
  })
  expect(stdout).toBe('Hello from Python\n')
})

test('a generated client in Go performs ten operations', { timeout: 120_000 }, async ({
  skip,
}) => {
  if (missing) skip(missing)
  const client = await generate('go-experimental')
  const source = join(folder, 'path/src/openapi')
  mkdirSync(source, { recursive: true })
  for (const name of readdirSync(client).filter((name) => name.endsWith('.go')))
    cpSync(join(client, name), join(source, name))
  const { stdout } = await run('go', ['run', join(programs, 'main.go')], {
    env: {
      ...env,
      GO111MODULE: 'off',
      GOPATH: `${join(folder, 'path')}:${goLibraries}`,
      GOCACHE: join(folder, 'cache'),
    },
  })
  expect(stdout).toBe('Hello from Go\n')
})

/** Installs the generator. Returns the reason why the tests cannot run, or null. */
async function findMissing(): Promise<string | null> {
  const tools: [program: string, args: string[], need: string][] = [
    ['java', ['-version'], 'Java (default-jre-headless)'],
    ['go', ['version'], 'Go (golang-go)'],
    ['ls', [`${goLibraries}/src/golang.org/x/oauth2`], 'golang-golang-x-oauth2-dev'],
    [
      '/usr/bin/python3',
      ['-c', 'import certifi, dateutil, six, urllib3'],
      'python3-dateutil, python3-urllib3',
    ],
    [
      'npm',
      ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', generator],
      `${generator} of npm`,
    ],
  ]
  for (const [program, args, need] of tools) {
    const works = await run(program, args).then(
      () => true,
      () => false,
    )
    if (!works) return `needs ${need}`
  }
  return null
}

/** Runs the command of the page, for a language. Returns the folder of the client. */
async function generate(language: string): Promise<string> {
  const adapted = command
    .replace('http://127.0.0.1:4000', server.credentials.url)
    .replace('-g python -o client', `-g ${language} -o client-${language}`)
  await run('bash', ['-euc', adapted], { cwd: folder, maxBuffer: 2 ** 24 })
  return join(folder, `client-${language}`)
}

/** Returns the id of a conversation of a chat user with the bot. */
async function converse(): Promise<string> {
  const post = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.credentials.chatUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
    return response.json()
  }
  const { key } = await post('/users')
  return (await post('/conversations', { 'x-user-key': key })).conversation.id
}
