// Keys with which an integration calls the Runtime and Files APIs within the bots that have installed it. The rows are those of accounts/tokens.ts;
// here is whose they are.
import {
  createToken,
  deleteToken,
  findKeyIntegration,
  listTokens,
  noToken,
  type Token,
} from '../accounts/tokens.ts'
import type { Db } from '../db/open.ts'
import { requireIntegration } from './integrations.ts'

/** Of all integrations of a workspace, for `Services.forget`. */
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

/** Returns the hash, for `Services.forget`. A key of another workspace does not exist. */
export async function deleteIntegrationKey(db: Db, workspaceId: string, id: string): Promise<string> {
  const integrationId = await findKeyIntegration(db, id)
  if (!integrationId) throw noToken(id)
  await requireIntegration(db, workspaceId, integrationId).catch(() => Promise.reject(noToken(id)))
  return deleteToken(db, { kind: 'iak', integrationId }, id)
}
