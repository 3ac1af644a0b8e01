// Prepares a new installation: an account and a workspace with a token, a first bot, and a file
// with the credentials of all of them.
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBot } from '../api/admin/bot-changes.ts'
import type { Services } from '../http/services.ts'
import { bootstrap } from '../modules/accounts/bootstrap.ts'
import { createTokenValue } from '../modules/accounts/token-format.ts'
import { listBotIds } from '../modules/bots/bots.ts'
import { findInstallation } from '../modules/catalog/integrations/installations.ts'
import { saveVersion } from '../modules/versions/deployed-versions.ts'

export interface Credentials {
  url: string
  /**
   * Null if the file was lost after the first start; `botstead tokens create --account` creates
   * another token.
   */
  token: string | null
  workspaceId: string
  botId: string | null
  webhookId: string | null
  chatUrl: string | null
  /** Signs the user keys of the bot's chat. */
  chatEncryptionKey: string
}

interface FirstBot {
  name: string
  /** CommonJS, as the bundler of the official SDK writes it. */
  code: string
}

/**
 * Creates the missing parts and keeps existing ones, so it may be repeated. Writes the current URL
 * to the file.
 */
export async function prepareFirstStart(
  services: Services,
  { chatKey, token: firstToken, bot }: { chatKey: string; token: string; bot: FirstBot | null },
): Promise<{ credentials: Credentials; isFirst: boolean }> {
  const stored = await readCredentials(services.config.dataFolder)
  const { workspaceId, accountId, token } = await bootstrap(services.db, firstToken)
  const botId =
    token && bot
      ? await findOrCreateFirstBot(services, { workspaceId, accountId }, bot)
      : (stored?.botId ?? null)
  const chat = botId ? await findInstallation(services.db, botId, 'chat') : null
  const url = services.publicUrl()
  const credentials: Credentials = {
    url,
    token: token ?? stored?.token ?? null,
    workspaceId,
    botId: chat ? botId : null,
    webhookId: chat?.webhook_id ?? null,
    chatUrl: chat ? `${url}/chat/${chat.webhook_id}` : null,
    chatEncryptionKey: chatKey,
  }
  await writeCredentials(services.config.dataFolder, credentials)
  return { credentials, isFirst: token !== null }
}

/** Its code is version 1. Returns the existing bot if an earlier attempt created it and lost the connection. */
async function findOrCreateFirstBot(
  services: Services,
  owner: { workspaceId: string; accountId: string },
  { name, code }: FirstBot,
) {
  const { db, secrets } = services
  const { workspaceId, accountId: createdBy } = owner
  const [existing] = await listBotIds(db, workspaceId)
  if (existing) return existing
  const { id } = await makeBot(services, { ...owner, role: 'owner' }, { name, code })
  const bot = { id, workspace_id: workspaceId }
  await db.transaction().execute((trx) => saveVersion(trx, secrets, bot, { name, createdBy }))
  return id
}

/** Creates the token once per start, because the start may retry the statement that stores it. */
export const createFirstToken = () => createTokenValue('pat')

const fileOf = (dataFolder: string) => join(dataFolder, 'credentials.json')

/** Returns null without a readable file. */
export async function readCredentials(dataFolder: string): Promise<Credentials | null> {
  try {
    return JSON.parse(await readFile(fileOf(dataFolder), 'utf8'))
  } catch {
    return null // First start, or a deleted or damaged file: the start writes it again.
  }
}

async function writeCredentials(dataFolder: string, credentials: Credentials) {
  const file = fileOf(dataFolder)
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
}
