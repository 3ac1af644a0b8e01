import { join } from 'node:path'
import type { Handlers, platform } from '@botstead/contract'
import { operators } from '../../../../core/accounts/index.ts'
import type { Contexts, HttpServices } from '../../../../core/http/index.ts'
import type { ArchiveServices } from '../../services.ts'
import { deleteJob, linkTo, listJobs, pageOfJobs, startJob } from './archives.ts'

const owner = { kind: 'backup', workspaceId: null } as const

export const backups: Handlers<
  typeof platform.backups,
  Contexts<ArchiveServices & HttpServices>
> = {
  async listBackups({ services, caller }, { query }) {
    const page = pageOfJobs(services, owner, query)
    await operators.require(services, caller)
    const { config, archives } = services
    const { items, meta } = await listJobs(services, owner, page)
    const keysFolder = config.masterKey === null ? join(config.dataFolder, 'keys') : null
    return { backups: items, folder: archives.folder, keysFolder, meta }
  },

  async createBackup({ services, caller }) {
    await operators.require(services, caller)
    const request = { accountId: caller.accountId, hasSecrets: true, passphrase: null }
    return { backup: await startJob(services, owner, request) }
  },

  async createBackupLink(context, { params }) {
    await operators.require(context.services, context.caller)
    return linkTo(context, owner, params.id)
  },

  async deleteBackup({ services, caller }, { params }) {
    await operators.require(services, caller)
    await deleteJob(services, owner, params.id)
    return {}
  },
}
