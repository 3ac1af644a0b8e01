import type { AuditRecord, admin, Handlers } from '@botstead/contract'
import { type Contexts, parsePage, toListPage } from '../../../http/index.ts'
import { type ListedRecord, listRecords } from '../../records.ts'

/**
 * Lists completed changes only: official clients know no other outcomes. /v1/platform/audit also
 * lists rejected and failed ones.
 */
export const audit: Handlers<(typeof admin)['audit'], Contexts> = {
  async getAuditRecords({ services, caller }, { query }) {
    const page = parsePage(services, ['admin.getAuditRecords', caller.workspaceId], query)
    const rows = await listRecords(services.db, caller.workspaceId, {
      before: page.position && Number(page.position[0]),
      limit: page.limit + 1,
      result: 'done',
    })
    const { items, meta } = toListPage(page, rows, (row) => [row.number])
    return { records: items.map(toRecord), meta }
  },
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const toRecord = (row: ListedRecord): AuditRecord => ({
  id: `${row.chain}:${row.number}`,
  recordedAt: row.at.toISOString(),
  userId: row.account_id !== null && uuid.test(row.account_id) ? row.account_id : null,
  userEmail: row.email,
  resourceId: row.target_id,
  resourceName: row.target_name,
  value: row.operation,
  action: row.action,
})
