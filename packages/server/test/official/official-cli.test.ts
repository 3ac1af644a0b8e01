// The unchanged official command line against a real server: it deploys an interface, two
// integrations and a bot with both, and runs them in development.
import { createServer } from 'node:net'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type OfficialCli,
  openOfficialCli,
  type RunningCommand,
} from '../support/official-cli.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

let server: RunningServer
let bp: OfficialCli
let client: Client
/** Long enough for a busy machine. */
vi.setConfig({ testTimeout: 90_000 })
const soon = { interval: 100, timeout: 60_000 }

beforeAll(async () => {
  server = await runServer()
  const { url, token, workspaceId } = server.credentials
  bp = openOfficialCli({ registry: url })
  client = new Client({
    apiUrl: url,
    token,
    workspaceId,
    headers: { 'x-multiple-integrations': 'true' },
  })
}, 90_000)
afterAll(async () => {
  await bp?.remove()
  await server?.remove()
}, 60_000)

const well = { code: 0, output: expect.any(String) }

test('rejects a wrong token and keeps a valid login', async () => {
  const { url, token, workspaceId } = server.credentials
  const login = (words: string[]) =>
    bp.run(['login', '--api-url', url, '--workspace-id', workspaceId, ...words])
  expect(
    await login(['--token', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`]),
  ).toEqual({
    code: 1,
    output: expect.stringContaining('Login failed. Please check your credentials'),
  })
  expect(await login(['--token', token])).toEqual({
    code: 0,
    output: expect.stringContaining('Logged In'),
  })
  expect(await bp.json(['bots', 'ls'])).toMatchObject([{ id: server.credentials.botId }])
})

test('creates, shows and deletes bots', async () => {
  expect(await bp.run(['bots', 'new', '--name', 'Ann'])).toEqual(well)
  expect(await bp.run(['bots', 'new', '--name', 'Ann', '--if-not-exists'])).toEqual(well)
  const [ann, ...others] = (await bp.json(['bots', 'ls'])).filter(
    ({ name }: { name: string }) => name === 'Ann',
  )
  expect(others).toEqual([])
  expect(await bp.json(['bots', 'get', ann.id])).toMatchObject({
    id: ann.id,
    name: 'Ann',
    dev: false,
  })
  expect(await bp.run(['bots', 'delete', ann.id])).toEqual(well)
  await expect(client.getBot({ id: ann.id })).rejects.toMatchObject({ code: 404 })
})

/** Opens a conversation with a bot by chat. */
async function chatWith(botId: string) {
  const { integrations } = (await client.getBot({ id: botId })).bot
  const { webhookId } = Object.values(integrations).find(({ name }) => name === 'chat')!
  const headers = { 'content-type': 'application/json' } as Record<string, string>
  const chat = async (path: string, body?: object) => {
    const reply = await fetch(`${server.credentials.url}/chat/${webhookId}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    expect(reply.ok, path).toBe(true)
    return reply.json()
  }
  headers['x-user-key'] = (await chat('/users', {})).key
  const { id } = (await chat('/conversations', {})).conversation
  return {
    say: (text: string) =>
      chat('/messages', { conversationId: id, payload: { type: 'text', text } }),
    heard: () =>
      expect.poll(
        async () =>
          (await chat(`/conversations/${id}/messages`)).messages.map(
            ({ payload }: { payload: { text: string } }) => payload.text,
          ),
        soon,
      ),
  }
}

/** Returns a free port. */
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  await new Promise((resolve) => taken.close(resolve))
  return port
}

async function develop(
  project: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunningCommand> {
  const port = await freePort()
  const command = bp.start(
    ['dev', '--tunnel-url', server.credentials.url, '--port', String(port)],
    {
      project,
      env,
    },
  )
  await expect.poll(command.output, soon).toContain(`Listening on port ${port}`)
  return command
}

/**
 * The projects are in one folder, because integrations import the interface that they implement.
 */
const projects: Record<string, string> = {}

test('deploys an interface and two integrations, twice', async () => {
  for (const name of ['keeper', 'almanac', 'doorbell']) projects[name] = bp.project(name)
  const deploy = (name: string, ...words: string[]) =>
    bp.run(['deploy', ...words], { project: projects[name]! })
  expect(await deploy('keeper')).toEqual({
    code: 0,
    output: expect.stringContaining('Interface deployed'),
  })
  expect(await deploy('almanac')).toEqual({
    code: 1,
    output: expect.stringContaining('Secret "PUBLISHER" is required'),
  })
  const [almanac, doorbell] = await Promise.all([
    deploy('almanac', '--secrets', 'PUBLISHER=Ann & Bea'),
    deploy('doorbell'),
  ])
  expect(almanac).toEqual({
    code: 0,
    output: expect.stringContaining('Integration deployed'),
  })
  expect(doorbell).toEqual({
    code: 0,
    output: expect.stringContaining('Integration deployed'),
  })
  const again = await Promise.all(['keeper', 'almanac'].map((name) => deploy(name)))
  expect(again.map(({ code }) => code)).toEqual([0, 0])
  expect(again[1]!.output).toContain('Secret "PUBLISHER" is unchanged')
})

test('lists and shows integrations and interfaces', async () => {
  const [integrations, interfaces, almanac, keeper] = await Promise.all([
    bp.json(['integrations', 'ls', '--name', 'almanac']),
    bp.json(['interfaces', 'ls']),
    bp.json(['integrations', 'get', 'almanac@1.0.0']),
    bp.json(['interfaces', 'get', 'keeper@0.1.0']),
  ])
  expect(integrations).toMatchObject([
    { name: 'almanac', version: '1.0.0', visibility: 'private' },
  ])
  expect(interfaces).toMatchObject([{ name: 'keeper', version: '0.1.0' }])
  expect(almanac).toMatchObject({
    id: integrations[0].id,
    secrets: ['PUBLISHER'],
    actions: { lookUp: {} },
    entities: { fact: {} },
  })
  expect(Object.values(almanac.interfaces)).toMatchObject([
    { id: keeper.id, entities: { item: { name: 'fact' } } },
  ])
  expect(await bp.run(['integrations', 'get', 'unknown@1.0.0'])).toEqual({
    code: 1,
    output: expect.stringContaining('not found'),
  })
})

test('prefixes names with the handle of the workspace', async () => {
  const { id } = await client.createWorkspace({ name: 'Ann' })
  await client.updateWorkspace({ id, handle: 'ann-and-bea' })
  const inIt = ['--workspace-id', id]
  expect(await bp.run(['deploy', ...inIt], { project: projects.doorbell! })).toEqual(well)
  const get = ['integrations', 'get', 'ann-and-bea/doorbell@1.0.0']
  const [there, here] = await Promise.all([bp.json([...get, ...inIt]), bp.run(get)])
  expect(there).toMatchObject({ name: 'ann-and-bea/doorbell', version: '1.0.0' })
  expect(here).toEqual({ code: 1, output: expect.stringContaining('not found') })
})

const facts = (word: string) => `${word}: first, Ann & Bea`

test('deploys a bot that answers in the chat and at a webhook', async () => {
  projects.bot = bp.project('bot')
  for (const name of ['chat', 'almanac', 'doorbell@1.0.0'])
    expect(await bp.run(['add', name], { project: projects.bot })).toEqual(well)
  expect(await bp.run(['deploy', '--create-new-bot'], { project: projects.bot })).toEqual(
    {
      code: 0,
      output: expect.stringContaining('Bot deployed'),
    },
  )
  const { botId } = bp.remembered(projects.bot)
  expect(await bp.run(['deploy', '--bot-id', botId!], { project: projects.bot })).toEqual(
    well,
  )
  const { bot } = await client.getBot({ id: botId! })
  expect(bot).toMatchObject({
    integrations: {
      chat: { enabled: true },
      almanac: { status: 'registered' },
      doorbell: { status: 'registered' },
    },
    states: { session: { type: 'conversation' } },
    events: { reminder: {} },
    recurringEvents: { monthly: { type: 'reminder' } },
  })
  const { say, heard } = await chatWith(botId!)
  await say('moon')
  await heard().toContain(facts('moon'))
  await ring(botId!, 'sun', 'hosted')
})

/** Calls the doorbell webhook of a bot and expects its answer. */
async function ring(botId: string, text: string, where: string) {
  const { url, token } = server.credentials
  const { bot } = await client.getBot({ id: botId })
  const reply = await fetch(bot.integrations.doorbell!.webhookUrl, {
    method: 'POST',
    body: JSON.stringify({ text }),
  })
  const rung = await reply.text()
  expect(reply.status, rung).toBe(200)
  const { conversationId, where: there } = JSON.parse(rung)
  expect(there).toBe(where)
  const asBot = new Client({ apiUrl: url, token, botId })
  const texts = async () =>
    (await asBot.listMessages({ conversationId })).messages.map(({ payload, tags }) => [
      payload.text,
      tags,
    ])
  await expect
    .poll(texts, soon)
    .toContainEqual([facts(text), { 'doorbell:posted': where }])
}

test('reaches a bot and an integration in development through the tunnel', async () => {
  const env = { WHERE: 'at home' }
  const [bot, doorbell] = await Promise.all([
    develop(projects.bot!, env),
    develop(projects.doorbell!, env),
  ])
  const { devId } = bp.remembered(projects.bot!)
  const { devId: doorbellId } = bp.remembered(projects.doorbell!)
  const [dev, hosted, integrations] = await Promise.all(
    [
      ['bots', 'ls', '--dev'],
      ['bots', 'ls'],
      ['integrations', 'ls', '--dev'],
    ].map((words) => bp.json(words)),
  )
  expect(dev).toMatchObject([{ id: devId }])
  expect(hosted).not.toContainEqual(expect.objectContaining({ id: devId }))
  expect(integrations).toMatchObject([{ id: doorbellId, name: 'doorbell' }])
  await client.updateBot({
    id: devId!,
    integrations: {
      doorbell: { integrationId: doorbellId!, enabled: true, configuration: {} },
    },
  })
  const { say, heard } = await chatWith(devId!)
  await say('wind')
  await heard().toContain(facts('wind'))
  await ring(devId!, 'rain', 'at home')
  await Promise.all([bot.stop(), doorbell.stop()])
})

test('rejects deleting an integration in use, then deletes everything', async () => {
  const { botId, devId } = bp.remembered(projects.bot!)
  expect(await bp.run(['integrations', 'delete', 'almanac@1.0.0'])).toEqual({
    code: 1,
    output: expect.stringContaining('Could not delete'),
  })
  const bots = await Promise.all(
    [botId, devId].map((id) => bp.run(['bots', 'delete', id!])),
  )
  expect(bots).toEqual([well, well])
  expect(await bp.run(['integrations', 'delete', 'almanac@1.0.0'])).toEqual(well)
  expect(await bp.run(['interfaces', 'delete', 'keeper@0.1.0'])).toEqual(well)
  expect(await bp.json(['interfaces', 'ls'])).toEqual([])
})
