// Keys that bots use to call the Runtime, Files and Tables APIs. accounts/tokens.ts owns the rows;
// this module assigns them to bots.

import type { ApiKey } from '@botstead/contract'
import { hmac } from '@botstead/lib'
import { tokenStore } from '../accounts/index.ts'
import type { Db } from '../db/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { findBotWorkspace, noBot } from './bots.ts'

export async function createBotKey(
  db: Db,
  workspaceId: string,
  botId: string,
  note: string,
): Promise<ApiKey & { value: string }> {
  if ((await findBotWorkspace(db, botId)) !== workspaceId) throw noBot(botId)
  return tokenStore.create(db, { kind: 'bak', botId }, note)
}

export async function listBotKeys(
  db: Db,
  workspaceId: string,
  botId: string,
): Promise<ApiKey[]> {
  if ((await findBotWorkspace(db, botId)) !== workspaceId) throw noBot(botId)
  return tokenStore.list(db, { kind: 'bak', botId })
}

/**
 * Returns the hash, for `Services.forget`. Throws ResourceNotFound for a key of another workspace,
 * or of a bot that is hidden from the caller.
 */
export const deleteBotKey = (
  db: Db,
  workspaceId: string,
  id: string,
  isHidden: (botId: string) => Promise<boolean>,
): Promise<string> =>
  tokenStore.delete(
    db,
    'bak',
    id,
    async (botId) =>
      (await findBotWorkspace(db, botId)) === workspaceId && !(await isHidden(botId)),
  )

/** Returns the key that a hosted bot's own process uses for the API. */
export const hostedBotKey = (db: Db, secrets: Secrets, botId: string) =>
  tokenStore.storeHostedKey(
    db,
    { kind: 'bak', botId },
    hmac(secrets.derive('hosted bot keys'), botId),
  )
