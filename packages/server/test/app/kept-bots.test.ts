// Hosted bots with `npm run dev`: their processes survive the replacement of the server.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clone, copyClone, type RunningCommand } from '../support/clone.ts'

const limitMs = 300_000
const handler = 'packages/server/src/core/accounts/api/admin/account.ts'

/**
 * Answers with a word that differs for each process, and the number of messages in its memory. Works for a
 * minute on `slow`, unless it is the first message.
 */
const counter = `
const { BP_API_URL, BP_TOKEN, BP_BOT_ID, SECRET_GREETING = 'process' } = process.env
const name = SECRET_GREETING + Math.random().toString(36).slice(2)
const headers = {
  authorization: 'Bearer ' + BP_TOKEN, 'x-bot-id': BP_BOT_ID, 'content-type': 'application/json'
}
let count = 0
exports.handler = async (request) => {
  if (request.headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { event } = JSON.parse(request.body)
  if (event.type !== 'message_created') return { status: 200 }
  if (event.payload.message.payload.text === 'slow' && count > 0)
    await new Promise((resolve) => setTimeout(resolve, 60000))
  console.log('counted ' + (count + 1))
  const body = JSON.stringify({
    conversationId: event.conversationId,
    userId: BP_BOT_ID, type: 'text', tags: {}, payload: { text: name + ' ' + ++count },
  })
  const { status } = await fetch(BP_API_URL + '/v1/chat/messages', { method: 'POST', headers, body })
  return { status: status < 300 ? 200 : 500 }
}`

let clone: Clone
let command: RunningCommand
beforeEach(async () => {
  clone = copyClone()
  // Bundles name the paths of their sources, so those of the copy differ from those that were copied.
  clone.edit(
    'packages/server/src/core/installation/version.ts',
    (text) => `${text}\n// changed\n`,
  )
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  // The address of the API is in the environment of a bot.
  command = clone.run('scripts/dev/dev.js', { BOTSTEAD_PORT: String(port) })
  await command.untilPrinted('Watching the packages')
  await deploy()
}, limitMs)
afterEach(() => clone.remove(), limitMs)

const credentials = (): Record<
  'url' | 'token' | 'workspaceId' | 'botId' | 'webhookId',
  string
> => JSON.parse(readFileSync(join(clone.folder, 'data/credentials.json'), 'utf8'))

async function call(method: string, path: string, headers: object, body?: object) {
  const reply = await fetch(`${credentials().url}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path} answered ${reply.status} ${text}`)
  return JSON.parse(text)
}

const asMember = () => ({
  authorization: `Bearer ${credentials().token}`,
  'x-workspace-id': credentials().workspaceId,
})

const deploy = (changes = {}) =>
  call('PUT', `/v1/admin/bots/${credentials().botId}`, asMember(), {
    code: counter,
    ...changes,
  })

async function openChat() {
  const chat = `/chat/${credentials().webhookId}`
  const { key } = await call('POST', `${chat}/users`, {}, {})
  const headers = { 'x-user-key': key }
  const { conversation } = await call('POST', `${chat}/conversations`, headers, {})
  const path = `${chat}/conversations/${conversation.id}/messages`
  /** The answers of the bot, oldest first. */
  const answers = async (): Promise<string[]> => {
    const { messages } = await call('GET', path, headers)
    const texts = messages
      .map((one: { payload: { text: string } }) => one.payload.text)
      .reverse()
    return texts.filter((text: string) => text.includes(' '))
  }
  return {
    answers,
    say: (text: string) =>
      call('POST', `${chat}/messages`, headers, {
        conversationId: conversation.id,
        payload: { type: 'text', text },
      }),
    /** Says something; returns the name of the process that answers, and its count. */
    async count() {
      const before = (await answers()).length
      await this.say('next')
      await expect.poll(answers, { timeout: 30_000 }).toHaveLength(before + 1)
      const [name, count] = (await answers()).at(-1)!.split(' ')
      return { name, count: Number(count) }
    },
  }
}

const logged = async (text: string) => {
  const path = `/v1/admin/bots/${credentials().botId}/logs?timeStart=2000-01-01T00:00:00Z`
  const { logs } = await call('GET', path, asMember())
  return logs.some(({ message }: { message: string }) => message.includes(text))
}

let replacements = 0
/** Has dev.js replace the server after a change of a source. */
async function replaceServer(path = handler) {
  const ends = () => command.output().split('The server runs the change.').length
  const before = ends()
  replacements += 1
  clone.edit(
    path,
    (text) => `${text}\nObject.assign(globalThis, { change: ${replacements} })\n`,
  )
  await expect.poll(ends, { timeout: 60_000 }).toBe(before + 1)
}

test('keeps an idle bot with its memory while the server is replaced', {
  timeout: limitMs,
}, async () => {
  const chat = await openChat()
  const { name, count } = await chat.count()
  expect(count).toBe(1)
  await replaceServer()
  await replaceServer()
  // Its calls and its log reach the new server.
  expect(await chat.count()).toEqual({ name, count: 2 })
  await expect.poll(() => logged('counted 2'), { timeout: 10_000 }).toBe(true)

  const others = async (what: Promise<unknown>) => {
    await what
    const next = await chat.count()
    expect(next.count).toBe(1)
    return next.name
  }
  const names = [
    name,
    await others(deploy()),
    await others(deploy({ code: undefined, secrets: { GREETING: 'hi' } })),
    await others(replaceServer('packages/sandbox/src/bot-host.ts')),
  ]
  expect(new Set(names).size).toBe(4)
  expect(names[2]).toMatch(/^hi/)
  expect(names[3]).toMatch(/^hi/)
})

test('ends a bot that is working while the server is replaced, and repeats its message', {
  timeout: limitMs,
}, async () => {
  const chat = await openChat()
  const { name } = await chat.count()
  await chat.say('slow')
  await pause(500)
  await replaceServer()
  await expect.poll(chat.answers, { timeout: 60_000 }).toHaveLength(2)
  const [first, second] = await chat.answers()
  expect(first).toBe(`${name} 1`)
  expect(second).toMatch(/ 1$/)
  expect(second).not.toContain(name)
  expect(await chat.count()).toEqual({ name: second!.split(' ')[0], count: 2 })
})

test('starts the process of the bots again when it ends, and leaves none after Ctrl+C', {
  timeout: limitMs,
}, async () => {
  const chat = await openChat()
  const { name } = await chat.count()
  await replaceServer()
  const isSandbox = ({ command }: Listed) => command.includes('sandbox-process')
  process.kill(findDescendants(command.pid).find(isSandbox)!.pid, 'SIGKILL')
  await command.untilPrinted('The process of the hosted bots ended with SIGKILL.')
  const next = await chat.count()
  expect(next.count).toBe(1)
  expect(next.name).not.toBe(name)

  const processes = findDescendants(command.pid)
  expect(processes.filter(isSandbox)).toHaveLength(1)
  expect(await command.interrupt()).toBe(0)
  const left = () => processes.filter(({ pid }) => isRunning(pid))
  await expect.poll(left, { timeout: 20_000 }).toEqual([])
})

interface Listed {
  pid: number
  parent: number
  command: string
}

function findDescendants(pid: number): Listed[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line): Listed => {
      const [, one, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!
      return { pid: Number(one), parent: Number(parent), command: command! }
    })
  const below = (id: number): Listed[] =>
    all.filter(({ parent }) => parent === id).flatMap((one) => [one, ...below(one.pid)])
  return below(pid).filter(({ command }) => !command.startsWith('ps '))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/\) Z /.test(stat)
  } catch {
    return false
  }
}
