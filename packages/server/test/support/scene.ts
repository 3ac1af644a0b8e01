// A whole app on a separate database with a workspace, a token, a bot and its chat. Every response
// is checked against the contract. Most tests use `inject`; clients, streams and hosted bots need
// `listen`.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type ClientProps } from '@botpress/client'
import type { FairTurns } from '@botstead/lib'
import type { InjectOptions } from 'fastify'
import { type Logger, pino } from 'pino'
import { inject } from 'vitest'
import { getTier } from '../../../sandbox/src/isolation.ts'
import { createLauncher, type LaunchOptions } from '../../../sandbox/src/launch.ts'
import { type App, type AppOptions, openApp } from '../../src/app/app.ts'
import { bootstrap } from '../../src/core/accounts/bootstrap.ts'
import { makeBot } from '../../src/core/api/admin/bot-changes.ts'
import { findInstallation } from '../../src/core/catalog/installations/installations.ts'
import { seedHub } from '../../src/core/catalog/integrations/hub.ts'
import { type Config, readConfig } from '../../src/core/config/config.ts'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { brokenContract } from '../../src/core/http/input/validation.ts'
import type { Timeouts } from '../../src/core/http/limits/timeouts.ts'
import { serveDashboard } from '../../src/core/http/pages/dashboard.ts'
import { hubIntegrations } from '../../src/features/channels/hub-entries.ts'
import { cloneDatabase } from './database.ts'

export interface Scene {
  app: App
  workspaceId: string
  accountId: string
  token: string
  botId: string
  webhookId: string
  chatKey: string
  /** The configuration for another server on the same database. */
  connection: ConnectionSettings
  masterKey: Buffer
  /** Headers of the Admin API. */
  admin: Record<string, string>
  /** Headers of the Runtime API, as the bot. */
  asBot: Record<string, string>
  /** Returns status and parsed body. Throws if the body breaks the contract. */
  call(
    method: InjectOptions['method'],
    url: string,
    options?: { headers?: Record<string, string>; body?: unknown },
    // biome-ignore lint/suspicious/noExplicitAny: the contract check covers its shape; tests assert on fields
  ): Promise<{ status: number; body: any }>
  /** Creates a chat user and returns its id and headers. */
  chatUser(
    body?: Record<string, unknown>,
  ): Promise<{ id: string; headers: Record<string, string> }>
  /** Listens on loopback. Returns the official client without retries, for a bot or a workspace. */
  openClient(
    context: Pick<ClientProps, 'botId' | 'workspaceId' | 'integrationAlias'>,
  ): Promise<Client>
  /** Listens on loopback and returns the base URL. */
  listen(): Promise<string>
  close(): Promise<void>
}

const silent = pino({ level: process.env.BOTSTEAD_TEST_LOG ?? 'silent' })

export interface SceneOptions {
  config?: Partial<Config>
  /** Bundle of the scene's bot; without it, its events are ignored. */
  code?: string
  log?: Logger
  timeouts?: Timeouts
  clock?: () => number
  readSpace?: AppOptions['readSpace']
  /** Serves the pages of the dashboard; needs a build. */
  servesDashboard?: boolean
  findLauncher?: AppOptions['findLauncher']
  lookUp?: AppOptions['lookUp']
  requestTurns?: FairTurns
}

export async function openScene({
  config = {},
  code,
  log = silent,
  timeouts,
  clock,
  readSpace,
  servesDashboard = false,
  findLauncher = foundBefore,
  lookUp,
  requestTurns,
}: SceneOptions = {}): Promise<Scene> {
  const database = await cloneDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'botstead-scene-'))
  const masterKey = randomBytes(32)
  const chatKey = randomBytes(32).toString('hex')
  const app = await openApp({
    config: { ...testConfig(), dataFolder, ...config },
    log,
    connection: database.settings,
    masterKey,
    chatKey,
    ...(timeouts && { timeouts }),
    ...(clock && { clock }),
    ...(readSpace && { readSpace }),
    findLauncher,
    ...(lookUp && { lookUp }),
    ...(requestTurns && { requestTurns }),
  })
  if (servesDashboard) serveDashboard(app.server)
  await seedHub(app.services.db, hubIntegrations)
  const { workspaceId, accountId, token } = await bootstrap(app.services.db)
  // Listen first, because hosted code gets the API's address when its process starts.
  if (code !== undefined) await listen(app)
  const { id: botId } = await makeBot(
    app.services,
    { workspaceId, accountId, role: 'owner' },
    { name: 'scene', ...(code !== undefined && { code }) },
  )
  const { webhook_id: webhookId } = (await findInstallation(
    app.services.db,
    botId,
    'chat',
  ))!

  const call = openCaller(app)
  return {
    app,
    workspaceId,
    accountId,
    token: token!,
    botId,
    webhookId,
    chatKey,
    connection: database.settings,
    masterKey,
    admin: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId },
    asBot: { authorization: `Bearer ${token}`, 'x-bot-id': botId },
    call,
    async chatUser(body = {}) {
      const { body: made } = await call('POST', `/chat/${webhookId}/users`, { body })
      return { id: made.user.id, headers: { 'x-user-key': made.key } }
    },
    openClient: async (context) =>
      new Client({
        apiUrl: await listen(app),
        token: token!,
        retry: { retries: 0 },
        ...context,
      }),
    listen: () => listen(app),
    async close() {
      await app.close()
      await database.drop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

const openCaller =
  (app: App): Scene['call'] =>
  async (method, url, { headers = {}, body } = {}) => {
    const reply = await app.server.inject({
      method: method!,
      url,
      headers,
      ...(body !== undefined && { payload: body as never }),
    })
    const result = parsed(reply.body)
    // Otherwise a test would show that the status is 500, and nothing else.
    if (String(result?.message).startsWith(brokenContract))
      throw new Error(`${method} ${url}: ${result.message}`)
    return { status: reply.statusCode, body: result }
  }

export const testConfig = (): Config => ({
  ...readConfig({
    // Tests send more wrong credentials than the default limit allows.
    BOTSTEAD_LIMIT_FAILURES_PER_MINUTE: '0',
    // Hosted code of tests calls servers on this host.
    BOTSTEAD_BOT_NETWORK: 'public, 127.0.0.0/8, ::1',
    BOTSTEAD_URL_NETWORK: 'public, 127.0.0.0/8, ::1',
    BOTSTEAD_SANDBOX_TRUST: 'all',
    // Only some tests need vectors.
    BOTSTEAD_INCLUDED_MODEL: '0',
  }),
  port: 0,
  checkAnswers: true,
  shutdownSeconds: 2,
  retrySeconds: [0.05, 0.1],
})

async function foundBefore({ minTier = 1, egress = null }: LaunchOptions) {
  const { proven, missed } = inject('sandbox')
  return {
    launcher:
      proven && getTier(proven.isolation) >= minTier
        ? createLauncher(proven, egress)
        : null,
    missed,
  }
}

async function listen(app: App) {
  if (!app.server.server.listening)
    app.address.api = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return app.address.api
}

function parsed(text: string) {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
