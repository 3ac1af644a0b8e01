import type { Handlers, platform, SavedVersion } from '@botstead/contract'
import { botStore } from '../../../../core/bots/index.ts'
import { describeDeployment } from '../../../../core/catalog/index.ts'
import type { Contexts } from '../../../../core/http/index.ts'
import { findRunning } from '../../running.ts'
import {
  changeVersion,
  deleteVersion,
  listVersions,
  type VersionRow,
} from '../../versions.ts'

export const versions: Handlers<typeof platform.versions, Contexts> = {
  async listVersions({ services: { db, secrets }, caller }, { params }) {
    const bot = await botStore.find(db, caller.workspaceId, params.botId)
    const rows = await listVersions(db, bot.id)
    return {
      versions: rows.map(toSavedVersion),
      running: await findRunning(db, secrets, bot, rows),
      ...(await describeDeployment(db, bot)),
    }
  },

  async updateVersion({ services: { db }, caller }, { params, body }) {
    const bot = await botStore.find(db, caller.workspaceId, params.botId)
    const changed = await changeVersion(db, { botId: bot.id, id: params.versionId }, body)
    return { version: toSavedVersion(changed) }
  },

  async deleteVersion({ services: { db }, caller }, { params }) {
    const bot = await botStore.find(db, caller.workspaceId, params.botId)
    const version = { botId: bot.id, id: params.versionId }
    await db.transaction().execute((trx) => deleteVersion(trx, version))
    return {}
  },
}

const toSavedVersion = (row: VersionRow): SavedVersion => ({
  id: row.id,
  ...(row.number !== null && { number: row.number }),
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  createdAt: row.createdAt.toISOString(),
  ...(row.author !== null && { author: row.author }),
  deployedAt: row.deployedAt.toISOString(),
  ...(row.loadError !== null && { loadError: row.loadError }),
})
