import {
  ApiError,
  type AuditEntry,
  type Handlers,
  type platform,
} from '@botstead/contract'
import type { Db } from '../../../db/index.ts'
import { type Contexts, parsePage, toListPage } from '../../../http/index.ts'
import { findAuditNames } from '../../audit-names.ts'
import { type ListedRecord, listRecords, searchRecords } from '../../records.ts'
import type { AuditServices } from '../../services.ts'
import type { Anchor } from '../../verification.ts'

export const audit: Handlers<typeof platform.audit, Contexts<AuditServices>> = {
  async listAuditEntries({ services, caller: { workspaceId } }, { query }) {
    const { search } = query
    const listing = ['platform.listAuditEntries', workspaceId, search ?? '']
    const page = parsePage(services, listing, query)
    const before = page.position && Number(page.position[0])
    if (search !== undefined) {
      const request = { before, limit: page.limit, search }
      const { rows, next } = await searchRecords(services.database, workspaceId, request)
      const meta = next === null ? {} : { nextToken: page.token([String(next)]) }
      return { entries: await toEntries(services.db, workspaceId, rows), meta }
    }
    const rows = await listRecords(services.db, workspaceId, {
      before,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [row.number])
    return { entries: await toEntries(services.db, workspaceId, items), meta }
  },

  async verifyAudit({ services, caller }, { query: { number, hash } }) {
    if ((number === undefined) !== (hash === undefined))
      throw new ApiError(
        'InvalidQuery',
        'Send both the number and the hash of the saved audit entry, or neither',
      )
    const noted =
      number !== undefined && hash !== undefined
        ? { number, hash: Buffer.from(hash, 'hex') }
        : null
    const { checked, last, fault } = await services.audit.verify(
      caller.workspaceId,
      noted,
    )
    return {
      whole: fault === null,
      checked,
      ...(last && { last: toAnchor(last) }),
      ...(fault && { fault }),
    }
  },
}

const toAnchor = ({ number, hash }: Anchor) => ({ number, hash: hash.toString('hex') })

async function toEntries(
  db: Db,
  workspaceId: string,
  rows: ListedRecord[],
): Promise<AuditEntry[]> {
  const ids = rows.flatMap(({ target_id }) => target_id ?? [])
  const names = await findAuditNames(db, workspaceId, [...new Set(ids)])
  return rows.map((row) => {
    const presentName = names.get(row.target_id ?? '')
    return { ...toEntry(row), ...(presentName !== undefined && { presentName }) }
  })
}

const toEntry = (row: ListedRecord): AuditEntry => ({
  number: Number(row.number),
  recordedAt: row.at.toISOString(),
  accountId: row.account_id,
  email: row.email,
  tokenId: row.token_id,
  ip: row.ip,
  operation: row.operation,
  action: row.action,
  targetId: row.target_id,
  targetName: row.target_name,
  result: row.result,
  hash: row.hash.toString('hex'),
})
