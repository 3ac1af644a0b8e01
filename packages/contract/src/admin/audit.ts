import { Type as T } from 'typebox'
import { byId, closed, Meta, paging } from '../fields.ts'
import { AuditRecord } from '../models/accounts/audit-record.ts'
import { operation } from '../operation.ts'

export const audit = {
  getAuditRecords: operation({
    method: 'GET',
    path: '/v1/admin/workspaces/{id}/audit-records',
    access: 'workspace',
    permission: 'audit.read',
    summary: 'List the audit records of a workspace',
    description: 'Newest first.',
    params: byId,
    query: T.Object(paging),
    response: closed({ records: T.Array(AuditRecord), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}
