// Two installations behind haproxy, which directs each host name to its own: `localhost` to the
// first, `127.0.0.1` to the second. A workspace with a hosted bot lives in the first.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { toUrl } from './database.ts'
import { commandLine, type RunningServer, runServer } from './running-server.ts'

/** Answers each text with `re: <text>`. */
export const answeringBot = `
const http = require('http')
const post = (path, body) => new Promise((resolve, reject) => {
  const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
  const headers = {
    authorization: 'Bearer ' + BP_TOKEN, 'x-bot-id': BP_BOT_ID, 'content-type': 'application/json'
  }
  const request = http.request(BP_API_URL + path, { method: 'POST', headers }, (reply) => {
    reply.resume()
    reply.on('end', () => resolve(reply.statusCode))
  })
  request.on('error', reject)
  request.end(JSON.stringify(body))
})
exports.handler = async (req) => {
  if (req.headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { event } = JSON.parse(req.body)
  const { conversationId, type, payload } = event
  const text = type === 'message_created' ? payload.message.payload.text : undefined
  if (text === undefined) return { status: 200 }
  const answer = { type: 'text', payload: { text: 're: ' + text }, tags: {}, conversationId }
  const status = await post('/v1/chat/messages', { ...answer, userId: process.env.BP_BOT_ID })
  return { status: status < 300 ? 200 : 500 }
}`

export interface Workspace {
  id: string
  botId: string
  webhookId: string
  /** Of its owner; valid in the first installation at first. */
  token: string
}

export interface Cells {
  source: RunningServer
  target: RunningServer
  /** URLs at haproxy. */
  sourceUrl: string
  targetUrl: string
  createWorkspace(): Promise<Workspace>
  /** Runs a command with the settings of the first installation. */
  run(...args: string[]): Promise<{ code: number; output: string }>
  /** Runs `botstead move`. */
  move(workspaceId: string, ...more: string[]): Promise<{ code: number; output: string }>
  query<Row extends pg.QueryResultRow>(
    cell: RunningServer,
    text: string,
    values?: unknown[],
  ): Promise<Row[]>
  remove(): Promise<void>
}

export async function openCells(): Promise<Cells> {
  const env = {
    BOTSTEAD_SANDBOX_TRUST: 'all',
    BOTSTEAD_SHUTDOWN_SECONDS: '3',
    BOTSTEAD_LEASE_SECONDS: '2',
    BOTSTEAD_LIMIT_REQUESTS_PER_SECOND: '0',
    BOTSTEAD_LIMIT_MESSAGES_PER_MINUTE: '0',
    BOTSTEAD_LIMIT_USER_MESSAGES_PER_MINUTE: '0',
    BOTSTEAD_LIMIT_CHAT_USERS_PER_MINUTE: '0',
    BOTSTEAD_LIMIT_FAILURES_PER_MINUTE: '0',
  }
  const source = await runServer(env)
  const target = await runServer(env)
  const proxy = await startProxy(source.credentials.url, target.credentials.url)
  const sourceUrl = `http://localhost:${proxy.port}`
  const targetUrl = `http://127.0.0.1:${proxy.port}`
  const run = (...args: string[]) => runCommand(source, target.credentials.token, args)
  return {
    source,
    target,
    sourceUrl,
    targetUrl,
    run,
    createWorkspace: () => createWorkspace(source, sourceUrl),
    move: (workspaceId, ...more) => run('move', workspaceId, ...more),
    async query(cell, text, values = []) {
      const client = new pg.Client(cell.database)
      client.on('error', () => {})
      await client.connect()
      return (await client.query(text, values).finally(() => client.end())).rows
    },
    async remove() {
      await proxy.stop()
      await Promise.all([source.remove(), target.remove()])
    },
  }
}

async function startProxy(source: string, target: string) {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const backend = (name: string, url: string) =>
    `backend ${name}\n  server ${name} ${new URL(url).host} check inter 200ms fall 1 rise 1`
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  option redispatch
frontend all
  bind :${port}
  use_backend source if { hdr(host),field(1,:) localhost }
  default_backend target
${backend('source', source)}
${backend('target', target)}
`,
  )
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  await pause(500)
  if (child.exitCode !== null) throw new Error('haproxy did not start')
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

async function createWorkspace(source: RunningServer, url: string): Promise<Workspace> {
  const { token } = source.credentials
  const post = async (
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    if (!response.ok)
      throw new Error(`${path}: ${response.status} ${await response.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: the tests check what they use
    return (await response.json()) as any
  }
  const { id } = await post('/v1/admin/workspaces', { name: 'Traveller' })
  const inside = { 'x-workspace-id': id }
  const { bot } = await post(
    '/v1/admin/bots',
    { name: 'answers', code: answeringBot },
    inside,
  )
  const read = await fetch(`${url}/v1/admin/bots/${bot.id}`, {
    headers: { authorization: `Bearer ${token}`, ...inside },
  })
  const { integrations } = (
    (await read.json()) as { bot: { integrations: Record<string, never> } }
  ).bot
  const [chat] = Object.values(integrations) as unknown as { webhookId: string }[]
  return { id, botId: bot.id, webhookId: chat!.webhookId, token }
}

/** The command runs beside the server, with its settings. */
const runCommand = (source: RunningServer, targetToken: string, args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = {
      ...process.env,
      BOTSTEAD_DATA: source.dataFolder,
      DATABASE_URL: toUrl(source.database),
      BOTSTEAD_TARGET_TOKEN: targetToken,
    }
    execFile(process.execPath, [commandLine, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
