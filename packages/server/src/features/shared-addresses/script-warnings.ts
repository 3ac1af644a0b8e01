// Warnings of the scripts that the integrations of a workspace already have, for commands that bring them.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { checkScripts } from './script-rules.ts'
import { openVrl, type Vrl } from './vrl/vrl.ts'

const maxIntegrations = 1_000

/**
 * Returns the warnings of all scripts, each with the name of its integration, and why a script does not
 * compile with this server.
 */
export async function readScriptWarnings(db: Db, workspaceId: string): Promise<string[]> {
  const vrl = openVrl()
  try {
    return await listScriptWarnings(db, vrl, workspaceId)
  } finally {
    await vrl.close()
  }
}

async function listScriptWarnings(
  db: Db,
  vrl: Pick<Vrl, 'check'>,
  workspaceId: string,
): Promise<string[]> {
  const integrations = await db
    .selectFrom('integration')
    .select(['name', 'version', 'definition'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`definition::text like '%Script"%'`)
    .orderBy('name')
    .orderBy('version')
    .limit(maxIntegrations)
    .execute()
  const warnings: string[] = []
  for (const { name, version, definition } of integrations) {
    const found = await checkScripts(vrl, workspaceId, definition).catch(
      (error: unknown) => {
        if (error instanceof ApiError) return [error.message]
        throw error
      },
    )
    warnings.push(...found.map((warning) => `${name}@${version}: ${warning}`))
  }
  return warnings
}
