import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../../fields.ts'
import { AuditEntry } from '../../models/accounts/audit-record.ts'
import { operation } from '../../operation.ts'

const Anchor = closed({ number: T.Integer(), hash: T.String() })

export const audit = {
  listAuditEntries: operation({
    method: 'GET',
    path: '/v1/platform/audit',
    access: 'workspace',
    permission: 'audit.read',
    summary: 'List audit entries, newest first',
    description:
      'Entries contain the source address and the token or session. Rejected changes have entries, too. ' +
      '`search` is a part of the operation, target, address, or e-mail address of the account, in any ' +
      'case. It reads a limited number of entries per page, so pages may be empty before the last one.',
    query: T.Object({
      ...paging,
      search: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
    }),
    response: closed({ entries: T.Array(AuditEntry), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  verifyAudit: operation({
    method: 'GET',
    path: '/v1/platform/audit/verification',
    access: 'workspace',
    permission: 'audit.read',
    summary: 'Verify the audit log',
    description:
      'Checks that no entry was changed, removed or moved. With `number` and `hash`, also checks ' +
      'that this entry still exists.',
    query: T.Object({
      number: T.Optional(T.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      hash: T.Optional(T.String({ pattern: '^[0-9a-f]{64}$' })),
    }),
    response: closed({
      whole: T.Boolean(),
      checked: T.Integer(),
      last: T.Optional(Anchor),
      fault: T.Optional(closed({ number: T.Integer(), reason: T.String() })),
    }),
    errors: ['InvalidQuery'],
  }),
}
