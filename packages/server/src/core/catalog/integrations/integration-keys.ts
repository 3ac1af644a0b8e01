// Keys that integrations use to call the Runtime and Files APIs in bots that have installed them.
// accounts/tokens.ts owns the rows; this module assigns them to integrations.

import type { ApiKey } from '@botstead/contract'
import { tokenStore } from '../../accounts/index.ts'
import type { Db } from '../../db/index.ts'
import { isOwnIntegration, requireIntegration } from './integrations.ts'

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
): Promise<ApiKey & { value: string }> {
  await requireIntegration(db, workspaceId, integrationId)
  return tokenStore.create(db, { kind: 'iak', integrationId }, note)
}

export async function listIntegrationKeys(
  db: Db,
  workspaceId: string,
  integrationId: string,
): Promise<ApiKey[]> {
  await requireIntegration(db, workspaceId, integrationId)
  return tokenStore.list(db, { kind: 'iak', integrationId })
}

/**
 * Returns the hash, for `Services.forget`. Throws ResourceNotFound for a key of another workspace.
 */
export const deleteIntegrationKey = (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<string> =>
  tokenStore.delete(db, 'iak', id, (integrationId) =>
    isOwnIntegration(db, workspaceId, integrationId),
  )
