import type { Handlers, platform } from '@botstead/contract'
import { botStore } from '../../../bots/index.ts'
import { type BlobServices, fileAccess, fileStore } from '../../../files/index.ts'
import { type Contexts, operated } from '../../../http/index.ts'
import { checkImportColumns, previewFile } from '../../files/import-preview.ts'
import { createJob, findRejectedRows } from '../../jobs/jobs.ts'
import type { TableServices } from '../../services.ts'
import { findTable, wholeBot } from '../../tables.ts'
import { toTableJob } from '../tables/tables.ts'

export const tableImports: Handlers<
  typeof platform.tableImports,
  Contexts<BlobServices & TableServices>
> = {
  async previewTableImport({ services, caller, request }, { body }) {
    const botId = operated(caller)
    const { id } = await fileAccess(caller, request.headers).find(
      services.db,
      body.fileId,
    )
    const content = await fileStore.findContent(services.db, botId, id, {
      publicOnly: false,
    })
    const tenant = (await botStore.findWorkspace(services.db, botId)) ?? botId
    return previewFile(services, content, tenant)
  },

  async importTableColumns({ services, caller, request }, { params, body }) {
    const botId = operated(caller)
    const table = await findTable(services.db, wholeBot(botId), params.table)
    const file = await fileAccess(caller, request.headers).find(services.db, body.fileId)
    checkImportColumns(table, body.columns)
    const job = await createJob(services.db, table, {
      type: 'import',
      task: { columns: body.columns, fileName: file.key.split('/').at(-1)! },
      inputFileId: file.id,
    })
    services.tableJobs.soon()
    return { job: toTableJob(job) }
  },

  async listRejectedRows({ services: { db }, caller }, { params, query }) {
    const table = await findTable(db, wholeBot(operated(caller)), params.table)
    return findRejectedRows(db, table, query.job)
  },
}
