// The official command line, unchanged, against a real server: a developer brings an interface, two integrations and a bot that has both, and develops them.
import { createServer } from 'node:net'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type OfficialCli, openOfficialCli, type RunningCommand } from './official-cli.ts'
import { type RunningServer, runServer } from './running-server.ts'

let server: RunningServer
let bp: OfficialCli
let client: Client
/** However busy the machine is. */
vi.setConfig({ testTimeout: 90_000 })
const soon = { interval: 100, timeout: 60_000 }

beforeAll(async () => {
  server = await runServer()
  const { url, token, workspaceId } = server.credentials
  bp = openOfficialCli({ registry: url })
  client = new Client({ apiUrl: url, token, workspaceId, headers: { 'x-multiple-integrations': 'true' } })
}, 90_000)
afterAll(async () => {
  await bp?.remove()
  await server?.remove()
}, 60_000)

const well = { code: 0, output: expect.any(String) }

test('who is not let in is told so; who is, is remembered', async () => {
  const { url, token, workspaceId } = server.credentials
  const login = (words: string[]) => bp.run(['login', '--api-url', url, '--workspace-id', workspaceId, ...words])
  expect(await login(['--token', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`])).toEqual({
    code: 1,
    output: expect.stringContaining('Login failed. Please check your credentials'),
  })
  expect(await login(['--token', token])).toEqual({ code: 0, output: expect.stringContaining('Logged In') })
  expect(await bp.json(['bots', 'ls'])).toMatchObject([{ id: server.credentials.botId }])
})

test('bots are made, shown, and deleted', async () => {
  expect(await bp.run(['bots', 'new', '--name', 'Ann'])).toEqual(well)
  expect(await bp.run(['bots', 'new', '--name', 'Ann', '--if-not-exists'])).toEqual(well)
  const [ann, ...others] = (await bp.json(['bots', 'ls'])).filter(({ name }: { name: string }) => name === 'Ann')
  expect(others).toEqual([])
  expect(await bp.json(['bots', 'get', ann.id])).toMatchObject({ id: ann.id, name: 'Ann', dev: false })
  expect(await bp.run(['bots', 'delete', ann.id])).toEqual(well)
  expect(await bp.run(['bots', 'get', ann.id])).toEqual({ code: 1, output: expect.stringContaining('Could not get bot') })
})

/** Somebody says it in the chat of a bot; gives all that was said there. */
async function chatWith(botId: string) {
  const { integrations } = (await client.getBot({ id: botId })).bot
  const { webhookId } = Object.values(integrations).find(({ name }) => name === 'chat')!
  const headers = { 'content-type': 'application/json' } as Record<string, string>
  const chat = async (path: string, body?: object) => {
    const reply = await fetch(`${server.credentials.url}/chat/${webhookId}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
    expect(reply.ok, path).toBe(true)
    return reply.json()
  }
  headers['x-user-key'] = (await chat('/users', {})).key
  const { id } = (await chat('/conversations', {})).conversation
  return {
    say: (text: string) => chat('/messages', { conversationId: id, payload: { type: 'text', text } }),
    heard: () =>
      expect.poll(async () => (await chat(`/conversations/${id}/messages`)).messages.map(({ payload }: { payload: { text: string } }) => payload.text), soon),
  }
}

/** Any that is free; taken soon after. */
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  await new Promise((resolve) => taken.close(resolve))
  return port
}

async function develop(project: string, env: NodeJS.ProcessEnv = {}): Promise<RunningCommand> {
  const port = await freePort()
  const command = bp.start(['dev', '--tunnel-url', server.credentials.url, '--port', String(port)], { project, env })
  await expect.poll(command.output, soon).toContain(`Listening on port ${port}`)
  return command
}

const chatOf = async () => {
  const { integrations } = (await client.getBot({ id: server.credentials.botId })).bot
  return { chat: { integrationId: integrations.chat!.id, enabled: true, configuration: {} } }
}

test('a bot that is being developed answers through the tunnel', async () => {
  const project = bp.project('echo-bot')
  const dev = await develop(project)
  const { devId } = bp.remembered(project)
  expect(await bp.json(['bots', 'ls', '--dev'])).toMatchObject([{ id: devId }])
  await client.updateBot({ id: devId!, integrations: await chatOf() })
  const { say, heard } = await chatWith(devId!)
  await say('hello')
  await heard().toContain('You said: hello')
  await dev.stop()
})
