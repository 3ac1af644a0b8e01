import { type Static, Type as T } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'

/**
 * Actions of the external contract. UNKNOWN stands for all others; the record names the operation.
 */
export const auditActions = [
  'UNKNOWN',
  'ADD_WORKSPACE_MEMBER',
  'REMOVE_WORKSPACE_MEMBER',
  'UPDATE_WORKSPACE_MEMBER',
  'CLOSE_WORKSPACE',
  'CREATE_BOT',
  'CREATE_WORKSPACE',
  'DELETE_BOT',
  'DEPLOY_BOT',
  'TRANSFER_BOT',
  'DOWNLOAD_BOT_ARCHIVE',
  'UPDATE_BOT',
  'UPDATE_BOT_CHANNEL',
  'UPDATE_BOT_CONFIG',
  'UPDATE_PAYMENT_METHOD',
  'UPDATE_WORKSPACE',
  'SET_SPENDING_LIMIT',
  'SET_AI_SPENDING_LIMIT',
  'UPDATE_WORKSPACE_BILLING_READONLY',
  'UPDATE_WORKSPACE_PLAN_READONLY',
  'UPDATE_WORKSPACE_ADDONS_READONLY',
  'EXECUTE_AUTO_RECHARGE_SUCCESS',
  'EXECUTE_AUTO_RECHARGE_FAILED',
] as const
export type AuditAction = (typeof auditActions)[number]
const Action = T.Enum([...auditActions])

/** A completed change, in the external contract's shape. `value` names the operation. @component */
export const AuditRecord = closed({
  id: T.String(),
  recordedAt: Timestamp,
  userId: nullable(T.String({ format: 'uuid' })),
  userEmail: T.Optional(nullable(T.String())),
  resourceId: nullable(T.String()),
  resourceName: T.Optional(nullable(T.String())),
  value: T.Optional(nullable(T.String())),
  action: Action,
})
export type AuditRecord = Static<typeof AuditRecord>

/** An audit entry as stored. `hash` covers the entry and the previous one (`number` - 1). @component */
export const AuditEntry = closed({
  number: T.Integer(),
  recordedAt: Timestamp,
  accountId: nullable(T.String()),
  /** The current address of the account. */
  email: T.Optional(nullable(T.String())),
  tokenId: nullable(T.String()),
  ip: T.String(),
  operation: T.String(),
  action: Action,
  targetId: nullable(T.String()),
  targetName: nullable(T.String()),
  /** The name that the target has now, if it exists and has one. Not part of the stored entry. */
  presentName: T.Optional(T.String()),
  result: T.Enum(['done', 'refused', 'failed']),
  hash: T.String(),
})
export type AuditEntry = Static<typeof AuditEntry>
