// Typed clients that OpenAPI Generator writes from a published document, in Python and Go, perform ten
// operations. Installs the generator for the time of the test. 4.3.1 is the last stable version that npm
// has with its program; it reads OpenAPI 3.0.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toOpenApi30 } from '../support/open-api-30.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

const run = promisify(execFile)
const programs = fileURLToPath(new URL('../support/generated-clients/', import.meta.url))
const generator = '@openapitools/openapi-generator-cli'
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
  const document = await (await fetch(`${url}/v1/openapi/runtime.json`)).json()
  writeFileSync(join(folder, 'runtime.json'), JSON.stringify(toOpenApi30(document)))
  env = { ...process.env, URL: url, TOKEN: token, BOT: botId, CONVERSATION: await converse() }
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

test('a generated client in Go performs ten operations', { timeout: 120_000 }, async ({ skip }) => {
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
      [
        'install',
        '--prefix',
        folder,
        '--ignore-scripts',
        '--no-audit',
        `${generator}@1.0.18-4.3.1`,
      ],
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

/** Returns the folder of the client. */
async function generate(language: string): Promise<string> {
  const jar = join(folder, 'node_modules', generator, 'bin/openapi-generator.jar')
  const target = join(folder, language)
  const input = ['-i', join(folder, 'runtime.json')]
  await run('java', ['-jar', jar, 'generate', ...input, '-g', language, '-o', target], {
    maxBuffer: 2 ** 24,
  })
  return target
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
