// What the first start leaves behind: an account and a workspace with a token, a bot to talk with, and a file that says where they are.
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootstrap } from './accounts/bootstrap.ts'
import { makeToken } from './accounts/token-format.ts'
import { makeBot } from './api/admin/bot-changes.ts'
import { listBotIds } from './bots/bots.ts'
import { findInstallation } from './integrations/installations.ts'
import type { Services } from './services.ts'

export interface Credentials {
  url: string
  /** Null when this file was lost after the token was made: the Admin API makes another. */
  token: string | null
  workspaceId: string
  botId: string | null
  webhookId: string | null
  chatUrl: string | null
  /** Signs user keys of the bot's chat. */
  chatEncryptionKey: string
}

export interface FirstBot {
  name: string
  /** CommonJS, as the official SDK's bundler makes it. */
  code: string
}

/** Safe to repeat: what was made before stays. The file is brought up to date with where the server is now. */
export async function prepareFirstStart(
  services: Services,
  { chatKey, token: firstToken, bot }: { chatKey: string; token: string; bot: FirstBot | null },
): Promise<{ credentials: Credentials; isFirst: boolean }> {
  const known = await readCredentials(services.config.dataFolder)
  const { workspaceId, accountId, token } = await bootstrap(services.db, firstToken)
  const botId =
    token && bot
      ? await findOrMakeFirstBot(services, { workspaceId, accountId }, bot)
      : (known?.botId ?? null)
  const chat = botId ? await findInstallation(services.db, botId, 'chat') : null
  const url = services.publicUrl()
  const credentials: Credentials = {
    url,
    token: token ?? known?.token ?? null,
    workspaceId,
    botId: chat ? botId : null,
    webhookId: chat?.webhook_id ?? null,
    chatUrl: chat ? `${url}/chat/${chat.webhook_id}` : null,
    chatEncryptionKey: chatKey,
  }
  await writeCredentials(services.config.dataFolder, credentials)
  return { credentials, isFirst: token !== null }
}

/** It is there already when the answer was lost. */
async function findOrMakeFirstBot(
  services: Services,
  owner: { workspaceId: string; accountId: string },
  { name, code }: FirstBot,
) {
  const [made] = await listBotIds(services.db, owner.workspaceId)
  return made ?? (await makeBot(services, { ...owner, role: 'owner' }, { name, code })).id
}

/** Once for a start, which may have to repeat the statement that stores it. */
export const makeFirstToken = () => makeToken('pat')

const fileOf = (dataFolder: string) => join(dataFolder, 'credentials.json')

async function readCredentials(dataFolder: string): Promise<Credentials | null> {
  try {
    return JSON.parse(await readFile(fileOf(dataFolder), 'utf8'))
  } catch {
    return null // the first start, or a file that somebody removed or damaged: it is written anew
  }
}

async function writeCredentials(dataFolder: string, credentials: Credentials) {
  const file = fileOf(dataFolder)
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
}
