import type {
  tables as contract,
  Handlers,
  Table,
  TableJob,
  TableJobType,
} from '@botstead/contract'
import { fileAccess } from '../../../files/index.ts'
import type { Contexts } from '../../../http/index.ts'
import { quotas } from '../../../usage/index.ts'
import { duplicateTable } from '../../duplicates.ts'
import { createJob, type JobRow, listJobs, type TableTasks } from '../../jobs/jobs.ts'
import type { TableServices } from '../../services.ts'
import { deleteTable, renameTableColumn, updateTable } from '../../table-changes.ts'
import {
  countRows,
  createTable,
  findTable,
  getOrCreateTable,
  listTables,
  type TableRow,
} from '../../tables.ts'
import { toTableViewer } from './viewer.ts'

export const tables: Handlers<(typeof contract)['tables'], Contexts<TableServices>> = {
  async listTables({ services: { db }, caller }, { query }) {
    return {
      tables: (await listTables(db, toTableViewer(caller), query.tags ?? {})).map(
        toTable,
      ),
    }
  },

  async createTable({ services: { db }, caller }, { body }) {
    return { table: toTable(await createTable(db, toTableViewer(caller), body)) }
  },

  async getTable({ services: { db }, caller }, { params }) {
    const table = await findTable(db, toTableViewer(caller), params.table)
    return { table: toTable(table), ...(await countRows(db, table)) }
  },

  async getOrCreateTable({ services: { db }, caller }, { params, body }) {
    const { table, created } = await getOrCreateTable(db, toTableViewer(caller), {
      ...body,
      name: params.table,
    })
    return { table: toTable(table), created, ...(await countRows(db, table)) }
  },

  async updateTable({ services, caller }, { params, body }) {
    // a row counts `factor` times
    const { table, staleColumns } = await quotas.within(
      services,
      toRowScope(caller),
      ({ db }) => updateTable(db, toTableViewer(caller), params.table, body),
    )
    services.tableJobs.soon()
    if (staleColumns.length > 0) services.computing.soon()
    return { table: toTable(table), ...(staleColumns.length > 0 && { staleColumns }) }
  },

  async renameTableColumn({ services: { db }, caller }, { params, body }) {
    return {
      table: toTable(
        await renameTableColumn(db, toTableViewer(caller), params.table, body),
      ),
    }
  },

  async deleteTable({ services: { db }, caller }, { params }) {
    await deleteTable(db, toTableViewer(caller), params.table)
    return {}
  },

  async duplicateTable({ services, caller }, { params, body }) {
    const { table, rows, job } = await quotas.within(
      services,
      toRowScope(caller),
      ({ db }) => duplicateTable(db, toTableViewer(caller), params.sourceTableId, body),
      ({ table, rows, job }) => (job ? rows * table.factor : 0),
    )
    if (job) services.tableJobs.soon()
    return {
      table: toTable(table),
      rows,
      ...(job && { job: { id: job.job_id, status: job.status } }),
    }
  },

  async exportTable({ services, caller, request }, { params, query }) {
    const table = await findTable(services.db, toTableViewer(caller), params.table)
    const { owner } = fileAccess(caller, request.headers).requireWrite()
    const task = {
      format: query.format ?? 'csv',
      compress: query.compress ?? true,
      owner,
    }
    const job = await createJob(services.db, table, { type: 'export', task })
    services.tableJobs.soon()
    return { job: toTableJob(job) }
  },

  async importTable({ services, caller, request }, { params, body }) {
    const table = await findTable(services.db, toTableViewer(caller), params.table)
    const file = await fileAccess(caller, request.headers).find(services.db, body.fileId)
    const job = await createJob(services.db, table, {
      type: 'import',
      task: {},
      inputFileId: file.id,
    })
    services.tableJobs.soon()
    return { job: toTableJob(job) }
  },

  async getTableJobs({ services: { db }, caller }, { params }) {
    const jobs = await listJobs(
      db,
      await findTable(db, toTableViewer(caller), params.table),
    )
    return { jobs: jobs.map((job) => ({ ...toTableJob(job), ...toRemarks(job) })) }
  },
}

const toRowScope = ({ botId }: { botId: string }) => ({
  botId,
  type: 'table_row_count' as const,
})

function toRemarks({ failure, warnings, task }: JobRow) {
  const { left = 0 } = task as TableTasks['import']
  return {
    ...(failure !== null && { failureReason: failure }),
    ...(warnings.length > 0 && { warnings }),
    ...(left > 0 && { leftOut: left }),
  }
}

export function toTableJob(job: JobRow): TableJob {
  return {
    id: job.job_id,
    botId: job.bot_id,
    tableId: job.bot_table_id,
    type: job.type as TableJobType,
    status: job.status as TableJob['status'],
    progress: job.progress,
    inputFileId: job.input_file_id,
    outputFileId: job.output_file_id,
    createdAt: job.created_at.toISOString(),
    updatedAt: job.updated_at.toISOString(),
  }
}

function toTable(table: TableRow): Table {
  const { $schema, required } = table.schema
  return {
    id: table.bot_table_id,
    name: table.name,
    factor: table.factor,
    frozen: table.frozen,
    keyColumn: table.columns.find(({ id }) => id === table.key_column)?.name ?? null,
    schema: {
      ...($schema !== undefined && { $schema }),
      type: 'object',
      properties: Object.fromEntries(
        table.columns.map(({ name, schema }) => [name, schema]),
      ),
      additionalProperties: true,
      ...(required && { required }),
    },
    tags: table.tags,
    isComputeEnabled: table.compute_enabled,
    createdAt: table.created_at.toISOString(),
    updatedAt: table.updated_at.toISOString(),
  }
}
