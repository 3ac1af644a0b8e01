// Keys that integrations use to call the Runtime and Files APIs in bots that have installed them.
// accounts/tokens.ts owns the rows; this module assigns them to integrations.

import {
  createToken,
  deleteToken,
  findKeyIntegration,
  listTokens,
  noToken,
  type Token,
} from '../../accounts/index.ts'
import type { Db } from '../../db/index.ts'
import { requireIntegration } from './integrations.ts'

/** Lists the keys of all integrations of a workspace, for `Services.forget`. */
export async function listKeyHashes(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('token')
    .innerJoin('integration', 'integration.id', 'token.integration_id')
    .select('token.hash')
    .where('integration.workspace_id', '=', workspaceId)
    .execute()
  return rows.map(({ hash }) => hash.toString('hex'))
}

export async function createIntegrationKey(
  db: Db,
  workspaceId: string,
  integrationId: string,
  note: string,
): Promise<Token & { value: string }> {
  await requireIntegration(db, workspaceId, integrationId)
  return createToken(db, { kind: 'iak', integrationId }, note)
}

export async function listIntegrationKeys(
  db: Db,
  workspaceId: string,
  integrationId: string,
): Promise<Token[]> {
  await requireIntegration(db, workspaceId, integrationId)
  return listTokens(db, { kind: 'iak', integrationId })
}

/**
 * Returns the hash, for `Services.forget`. Throws ResourceNotFound for a key of another workspace.
 */
export async function deleteIntegrationKey(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<string> {
  const integrationId = await findKeyIntegration(db, id)
  if (!integrationId) throw noToken(id)
  await requireIntegration(db, workspaceId, integrationId).catch(() => Promise.reject(noToken(id)))
  return deleteToken(db, { kind: 'iak', integrationId }, id)
}
