// Creates a project of each template of `botstead new`, runs its own tests and commands, and deploys it.
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandLine } from '../../packages/server/test/support/running-server.ts'
import { openScene, type Scene } from '../../packages/server/test/support/scene.ts'

vi.setConfig({ testTimeout: 300_000 })
const soon = { timeout: 90_000, interval: 100 }
const clone = fileURLToPath(new URL('../..', import.meta.url))
const installed = join(clone, 'node_modules')

let scene: Scene
let url: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-templates-'))
  scene = await openScene()
  url = await scene.listen()
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function run(file: string, args: string[], cwd = folder): Promise<Ended> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    BOTSTEAD_SERVER: url,
    BOTSTEAD_TOKEN: scene.token,
    BOTSTEAD_WORKSPACE: scene.workspaceId,
    BP_API_URL: url,
    BP_TOKEN: scene.token,
    BP_WORKSPACE_ID: scene.workspaceId,
  }
  // A test inside a test would report to this one.
  for (const name of ['NODE_TEST_CONTEXT', 'BOTSTEAD_DATA'])
    delete env[name as keyof typeof env]
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}

const botstead = (...args: string[]) => run(process.execPath, [commandLine, ...args])
const well = expect.objectContaining({ code: 0 })

async function deploy(...args: string[]) {
  const { code, stdout, stderr } = await botstead('deploy', ...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as { id: string; chatUrl: string }
}

/** Sends a text to a bot, and returns a function that lists its answers. */
async function say(chatUrl: string, text: string) {
  const post = async (path: string, body: object, headers = {}) =>
    (
      await fetch(chatUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    ).json()
  const { key, user } = await post('/users', {})
  const headers = { 'x-user-key': key as string }
  const { id } = (await post('/conversations', {}, headers)).conversation
  const payload = { type: 'text', text }
  await post('/messages', { conversationId: id, payload }, headers)
  return async (): Promise<string[]> => {
    const reply = await fetch(`${chatUrl}/conversations/${id}/messages`, { headers })
    const { messages } = (await reply.json()) as {
      messages: { userId: string; payload: { text: string } }[]
    }
    return messages
      .filter(({ userId }) => userId !== user.id)
      .map((one) => one.payload.text)
  }
}

async function createProject(template: string) {
  const project = join(folder, `my-${template}`)
  const args = [commandLine, 'new', project, '--template', template]
  const ended = await run(process.execPath, args, clone)
  expect(ended).toEqual(well)
  return { project, output: ended.stdout }
}
const newProject = async (template: string) => (await createProject(template)).project

async function newSdkProject(template: string) {
  const { project, output } = await createProject(template)
  expect(readdirSync(project)).toContain('.gitignore')
  symlinkSync(installed, join(project, 'node_modules'))
  expect(await run('npm', ['run', 'check'], project)).toEqual(well)
  expect(await run('npm', ['test'], project)).toEqual(well)
  return { project, output }
}

test('faq passes its conversations and answers from its documents after one deployment', async () => {
  const document = join(await newProject('faq'), 'bot.json')
  expect(await botstead('test', document)).toEqual(well)
  const { id, chatUrl } = await deploy(document)
  const indexed = async () => {
    const headers = { ...scene.asBot, 'x-bot-id': id }
    const { files } = (await scene.call('GET', '/v1/files', { headers })).body
    return files.map(({ key, status }: { key: string; status: string }) => [
      key.replace(/.*\//, ''),
      status,
    ])
  }
  await expect
    .poll(indexed, soon)
    .toEqual(
      expect.arrayContaining(
        ['delivery', 'opening-hours', 'returns'].map((name) => [
          `${name}.md`,
          'indexing_completed',
        ]),
      ),
    )
  const answers = await say(chatUrl, 'When are you open?')
  await expect.poll(answers, soon).toContainEqual(expect.stringMatching(/open/i))
})

test('agent passes its conversations and, without a model, hands over', async () => {
  const document = join(await newProject('agent'), 'bot.json')
  expect(await botstead('test', document)).toEqual(well)
  const { chatUrl } = await deploy(document)
  const answers = await say(chatUrl, 'Hello')
  await expect
    .poll(answers, soon)
    .toEqual(['I have asked a colleague, who will write to you here.'])
})

test('sdk-bot passes its checks and tests, and answers after the printed commands', async () => {
  const { project, output } = await newSdkProject('sdk-bot')
  const commands = output.slice(output.indexOf('Next:')).split('\n').slice(1)
  const withoutInstallation = commands.filter((line) => !line.startsWith('  npm install'))
  const script = withoutInstallation.join('\n')
  expect(await run('bash', ['-euc', script], clone)).toEqual(well)
  const map = JSON.parse(readFileSync(join(project, 'dist/bot.cjs.map'), 'utf8'))
  expect(map.sources).toContain('../src/bot.ts')
  const { bots } = (await scene.call('GET', '/v1/admin/bots', { headers: scene.admin }))
    .body
  const { id } = bots.find(({ name }: { name: string }) => name === 'my-sdk-bot')
  const { chatUrl } = await deploy(join(project, 'dist/bot.cjs'), '--bot', id)
  await expect
    .poll(await say(chatUrl, 'one two three'), soon)
    .toEqual(['You wrote 3 words.'])
})

test('names a bot after the project of its bundle', async () => {
  const project = join(folder, 'official')
  const dist = join(project, '.botpress', 'dist')
  mkdirSync(dist, { recursive: true })
  writeFileSync(
    join(dist, 'index.cjs'),
    'module.exports.handler = () => ({ status: 200 })',
  )
  const nameAfter = async (packageFile: string) => {
    writeFileSync(join(project, 'package.json'), packageFile)
    const { id } = await deploy(join(dist, 'index.cjs'))
    const headers = scene.admin
    return (await scene.call('GET', `/v1/admin/bots/${id}`, { headers })).body.bot.name
  }
  expect(await nameAfter('{"name":"@ana/shop-bot"}')).toBe('shop-bot')
  expect(await nameAfter('{"private":true}')).toBe('index')
})

test.each(['faq', 'sdk-bot'])(
  'files of %s name the server of later commands',
  async (template) => {
    const project = join(folder, `addresses-${template}`)
    expect(await botstead('new', project, '--template', template)).toEqual(well)
    const texts = readdirSync(project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
    expect(texts).toContain(`${url}/docs/`)
    expect(texts).not.toContain(':4000')
  },
)

test('integration passes its checks and tests, and is deployed and installed', async () => {
  const { project } = await newSdkProject('integration')
  const { code, stdout, stderr } = await run(
    'npm',
    ['run', 'deploy', '--', scene.botId],
    project,
  )
  expect([code, stderr]).toEqual([0, ''])
  const webhook = /Webhook of \S+: (\S+)/.exec(stdout)![1]!
  expect((await fetch(webhook, { method: 'POST', body: 'hello' })).status).toBe(202)
  const events = (
    await scene.call('GET', '/v1/chat/events?type=my-integration:received', {
      headers: scene.asBot,
    })
  ).body.events
  expect(events).toMatchObject([{ payload: { text: 'hello' } }])
  const called = await scene.call('POST', '/v1/chat/actions', {
    headers: scene.asBot,
    body: { type: 'my-integration:reverse', input: { text: 'abc' } },
  })
  expect(called.body.output).toEqual({ text: 'cba' })
  // A second deployment updates the version.
  expect((await run('npm', ['run', 'deploy'], project)).stdout).toContain(
    'Deployed my-integration',
  )
})

test('rejects a folder that is not empty, a file, and a name that no project can have', async () => {
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  writeFileSync(join(taken, 'notes.txt'), 'mine')
  expect(await botstead('new', taken)).toMatchObject({
    code: 1,
    stderr: `botstead: folder ${taken} is not empty: name a new or an empty folder\n`,
  })
  expect(readdirSync(taken)).toEqual(['notes.txt'])
  const wrong = {
    code: 2,
    stderr: expect.stringContaining('cannot be the name of a project'),
  }
  for (const name of ['My Bot', 'notes.txt', '-x', 'a'])
    expect(await botstead('new', '--', join(folder, name))).toMatchObject(wrong)
  writeFileSync(join(folder, 'file'), '')
  expect(await botstead('new', join(folder, 'file'))).toMatchObject({ code: 1 })
  expect(await botstead('new', 'x-y', '--template', 'cat')).toMatchObject({ code: 2 })
})

test('a dry run lists all changes and makes none; a deployment adds missing columns', async () => {
  const project = join(folder, 'dry')
  mkdirSync(project)
  const document = join(project, 'bot.json')
  const write = (columns: object, cron: string) =>
    writeFileSync(
      document,
      JSON.stringify({
        kind: 'bot',
        version: 2,
        tables: { OrdersTable: { schema: { type: 'object', properties: columns } } },
        knowledgeBases: { faq: {} },
        triggers: { daily: { type: 'schedule', cron, flow: 'main' } },
        flows: { main: { nodes: { start: { type: 'start' } } } },
      }),
    )
  const text = { type: 'string' }
  const plan = async (...args: string[]) =>
    JSON.parse(
      (await botstead('deploy', document, '--dry-run', '--json', ...args)).stdout,
    )
  const schedule = expect.stringContaining('daily')
  const none = { create: [], update: [], delete: [] }
  const bots = async () =>
    (await scene.call('GET', '/v1/admin/bots', { headers: scene.admin })).body.bots.length

  write({ item: text }, '0 9 * * *')
  const before = await bots()
  expect(await plan('--name', 'Dry')).toEqual({
    id: null,
    name: 'Dry',
    code: 'new',
    integrations: none,
    documents: [],
    columns: {},
    schedules: { ...none, create: [schedule] },
    knowledgeBases: ['faq'],
    tables: ['OrdersTable'],
  })
  expect(await bots()).toBe(before)

  const { id } = await deploy(document)
  const unchanged = { code: 'unchanged', schedules: none, knowledgeBases: [], tables: [] }
  expect(await plan('--bot', id)).toMatchObject({ id, columns: {}, ...unchanged })

  write({ status: text }, '0 8 * * *')
  const changed = { code: 'changed', schedules: { ...none, update: [schedule] } }
  const columns = { OrdersTable: ['status'] }
  expect(await plan('--bot', id)).toMatchObject({ id, columns, ...changed })
  const { stdout } = await botstead('deploy', document, '--dry-run', '--bot', id)
  expect(stdout).toMatch(
    /^Would update dry .*\n {2}Code +changed.*\n(.*\n)* {2}Columns +add to OrdersTable: status\n$/,
  )
  const columnsNow = async () => {
    const headers = { ...scene.asBot, 'x-bot-id': id }
    const { table } = (await scene.call('GET', '/v1/tables/OrdersTable', { headers }))
      .body
    return Object.keys(table.schema.properties)
  }
  expect(await columnsNow()).toEqual(['item'])
  await deploy(document, '--bot', id)
  expect((await columnsNow()).sort()).toEqual(['item', 'status'])
  expect(await plan('--bot', id)).toMatchObject({ id, columns: {}, ...unchanged })
  expect(readFileSync(document, 'utf8')).toContain('status')
})
