import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { findBotWorkspace } from '../../modules/bots/bots.ts'
import { findContent, findFile } from '../../modules/files/files.ts'
import { checkImportColumns, previewFile } from '../../modules/tables/import-preview.ts'
import { createJob, findRejectedRows } from '../../modules/tables/jobs.ts'
import { findTable, wholeBot } from '../../modules/tables/tables.ts'
import { fileAccess } from '../files/access.ts'
import { jobShown } from '../tables/tables.ts'
import { operated } from './operator.ts'

export const tableImports: Handlers<typeof platform.tableImports, Contexts> = {
  async previewTableImport({ services, caller, request }, { body }) {
    const botId = operated(caller)
    const { viewer } = fileAccess(caller, request.headers)
    const { id } = await findFile(services.db, botId, body.fileId, viewer)
    const content = await findContent(services.db, botId, id, { publicOnly: false })
    const tenant = (await findBotWorkspace(services.db, botId)) ?? botId
    return previewFile(services, content, tenant)
  },

  async importTableColumns({ services, caller, request }, { params, body }) {
    const botId = operated(caller)
    const table = await findTable(services.db, wholeBot(botId), params.table)
    const { viewer } = fileAccess(caller, request.headers)
    const file = await findFile(services.db, botId, body.fileId, viewer)
    checkImportColumns(table, body.columns)
    const job = await createJob(services.db, table, {
      type: 'import',
      task: { columns: body.columns, fileName: file.key.split('/').at(-1)! },
      inputFileId: file.id,
    })
    services.tableJobs.soon()
    return { job: jobShown(job) }
  },

  async listRejectedRows({ services: { db }, caller }, { params, query }) {
    const table = await findTable(db, wholeBot(operated(caller)), params.table)
    return findRejectedRows(db, table, query.job)
  },
}
