// Keys with which a bot calls the Runtime, Files and Tables APIs. The rows are those of accounts/tokens.ts; here is whose they are.
import {
  createToken,
  deleteToken,
  findKeyBot,
  keepHostedKey,
  listTokens,
  noToken,
  type Token,
} from '../accounts/tokens.ts'
import type { Db } from '../db/open.ts'
import { hmac, type Secrets } from '../lib/secrets.ts'
import { findBotWorkspace, noBot } from './bots.ts'

export async function createBotKey(
  db: Db,
  workspaceId: string,
  botId: string,
  note: string,
): Promise<Token & { value: string }> {
  if ((await findBotWorkspace(db, botId)) !== workspaceId) throw noBot(botId)
  return createToken(db, { kind: 'bak', botId }, note)
}

export async function listBotKeys(db: Db, workspaceId: string, botId: string): Promise<Token[]> {
  if ((await findBotWorkspace(db, botId)) !== workspaceId) throw noBot(botId)
  return listTokens(db, { kind: 'bak', botId })
}

/** Returns the hash, for `Services.forget`. A key of another workspace does not exist, and neither does one of a bot that the caller does not see. */
export async function deleteBotKey(
  db: Db,
  workspaceId: string,
  id: string,
  isHidden: (botId: string) => Promise<boolean>,
): Promise<string> {
  const botId = await findKeyBot(db, id)
  if (!botId || (await findBotWorkspace(db, botId)) !== workspaceId || (await isHidden(botId)))
    throw noToken(id)
  return deleteToken(db, { kind: 'bak', botId }, id)
}

/** What a hosted bot's own process calls back with. */
export const hostedBotKey = (db: Db, secrets: Secrets, botId: string) =>
  keepHostedKey(db, { kind: 'bak', botId }, hmac(secrets.derive('hosted bot keys'), botId))
