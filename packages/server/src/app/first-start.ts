// Prepares a new installation: an account and a workspace with a token, a first bot, and a file
// with the credentials of all of them.
import { setTimeout as pause } from 'node:timers/promises'
import { writeDurably } from '@botstead/lib'
import type { Logger } from 'pino'
import { firstWorkspaceId, openFirstStart } from '../core/accounts/index.ts'
import { makeBot } from '../core/api/index.ts'
import { botStore } from '../core/bots/index.ts'
import { installationStore, registrations } from '../core/catalog/index.ts'
import type { Database } from '../core/db/index.ts'
import {
  type Credentials,
  credentialsFile,
  readCredentials,
} from '../core/installation/index.ts'
import { saveVersion } from '../features/versions/index.ts'
import type { AllServices } from './all-services.ts'

interface FirstBot {
  name: string
  /** CommonJS, as the bundler of the official SDK writes it. */
  code: string
}

interface FirstStart {
  chatKey: string
  bot: FirstBot | null
  signal?: AbortSignal | undefined
}

/**
 * Completes the first start, also after an interruption of an earlier one, and may be repeated. The
 * file has the token before the database does, and the last step marks the first start as complete.
 * Later starts write the current URL to the file. `isFirst` is true for the start that completed it.
 */
export async function prepareFirstStart(
  services: AllServices,
  { chatKey, bot, signal }: FirstStart,
): Promise<{ credentials: Credentials; isFirst: boolean }> {
  const { db, database, config } = services
  const firstStart = openFirstStart(db)
  const write = async (token: string | null, botId: string | null) => {
    const credentials = await toCredentials(services, { chatKey, token, botId })
    await writeDurably(
      credentialsFile(config.dataFolder),
      `${JSON.stringify(credentials, null, 2)}\n`,
    )
    return credentials
  }
  const findComplete = async () => {
    if (!(await firstStart.isComplete())) return null
    const stored = await readCredentials(config.dataFolder)
    const credentials = await write(stored?.token ?? null, stored?.botId ?? null)
    return { credentials, isFirst: false }
  }
  const prepare = async () => {
    const token = firstStart.toToken((await readCredentials(config.dataFolder))?.token)
    await write(token, null)
    const owner = await firstStart.createOwner(token)
    const botId = bot && (await findOrCreateFirstBot(services, owner, bot))
    const credentials = await write(token, botId)
    await firstStart.complete()
    return { credentials, isFirst: true }
  }
  return (
    (await findComplete()) ??
    whileLocked(
      database,
      { log: services.log, signal },
      async () => (await findComplete()) ?? prepare(),
    )
  )
}

/** An arbitrary constant that is used for nothing else. */
const lockKey = 7_236_110_842_916
const lockPauseMs = 200

/** Of several servers of one database, one prepares the installation. The lock ends with its process. */
async function whileLocked<T>(
  database: Database,
  { log, signal }: { log: Logger; signal: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const client = await database.connect()
  const tryLock = async () =>
    (await client.query('select pg_try_advisory_lock($1) as locked', [lockKey])).rows[0]
      .locked
  try {
    for (let isWaiting = false; !(await tryLock()); await pause(lockPauseMs)) {
      signal?.throwIfAborted()
      if (!isWaiting)
        log.info('waiting for another server that prepares the installation')
      isWaiting = true
    }
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}

async function toCredentials(
  services: AllServices,
  {
    chatKey,
    token,
    botId,
  }: { chatKey: string; token: string | null; botId: string | null },
): Promise<Credentials> {
  const url = services.publicUrl()
  const chat = botId ? await installationStore.find(services.db, botId, 'chat') : null
  return {
    url,
    token,
    workspaceId: firstWorkspaceId,
    botId: chat ? botId : null,
    webhookId: chat?.webhook_id ?? null,
    chatUrl: chat ? `${url}/chat/${chat.webhook_id}` : null,
    chatEncryptionKey: chatKey,
  }
}

/**
 * Creates the bot with its version 1 in one transaction. After an interruption it exists, or not, but
 * its `register` may be missing.
 */
async function findOrCreateFirstBot(
  services: AllServices,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
  { name, code }: FirstBot,
): Promise<string> {
  const [existing] = await botStore.listIds(services.db, workspaceId)
  if (existing) {
    await registrations.registerBot(services, existing)
    return existing
  }
  return services.inTransaction(async (inside) => {
    const { db, secrets } = inside
    const owner = { workspaceId, accountId, role: 'owner' } as const
    const { id } = await makeBot(inside, owner, { name, code })
    const bot = { id, workspace_id: workspaceId }
    await saveVersion(db, secrets, bot, { name, createdBy: accountId })
    return id
  })
}
