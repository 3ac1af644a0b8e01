import { type Static, Type as T } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'

/** Kinds of data about a person, in the order in which the server erases them. */
export const personalDataKinds = [
  'recordings',
  'traces',
  'deliveryAttempts',
  'deadLetters',
  'actionRuns',
  'logs',
  'observations',
  'issueEvents',
  'issues',
  'modelCalls',
  'notifications',
  'webhookRequests',
  'storedResponses',
  'rateCounters',
  'feedback',
  'notes',
  'handoffs',
  'broadcasts',
  'optOuts',
  'scheduledMessages',
  'states',
  'workflows',
  'files',
  'tableRows',
  'signals',
  'events',
  'messages',
  'conversations',
  'addresses',
  'users',
] as const
export type PersonalDataKind = (typeof personalDataKinds)[number]

/** `person`: all users that are the same person; `user`: one of them alone. */
export const personalDataScopes = ['person', 'user'] as const
export type PersonalDataScope = (typeof personalDataScopes)[number]

const count = T.Integer({ minimum: 0 })
/** Number of objects by kind; kinds without any are left out. @component */
export const PersonalDataCounts = closed(
  Object.fromEntries(personalDataKinds.map((kind) => [kind, T.Optional(count)])) as {
    [Kind in PersonalDataKind]: T.TOptional<typeof count>
  },
)
export type PersonalDataCounts = Static<typeof PersonalDataCounts>

/** A backup of the installation, or an archive of the workspace. @component */
export const NamedBackup = closed({ fileName: T.String(), createdAt: Timestamp })

/** Proves an erasure. Contains no personal data: the ids are the server's own. @component */
export const ErasureReceipt = closed({
  format: T.Literal('botstead erasure receipt'),
  id: T.String(),
  workspaceId: T.String(),
  botId: T.String(),
  userId: T.String(),
  /** Account; null for the bot's key. */
  requestedBy: nullable(T.String()),
  requestedAt: Timestamp,
  erasedAt: Timestamp,
  counts: PersonalDataCounts,
  /** Files that the server made while the person's data existed, and that still exist. */
  backups: T.Array(NamedBackup),
  /** Public key (Ed25519) of the installation, base64. */
  signer: T.String(),
  /** Of all other properties, base64. */
  signature: T.String(),
})
export type ErasureReceipt = Static<typeof ErasureReceipt>

/** The erasure of a person's data. The server works on it in the background, in small batches. @component */
export const Erasure = closed({
  id: T.String(),
  userId: T.String(),
  state: T.Enum(['running', 'done']),
  /** Objects that have been erased so far. */
  counts: PersonalDataCounts,
  createdAt: Timestamp,
  endedAt: T.Optional(Timestamp),
  /** When it is done. */
  receipt: T.Optional(ErasureReceipt),
})
export type Erasure = Static<typeof Erasure>

/** Result of the verification of a receipt. @component */
export const ReceiptVerification = closed({
  /** The receipt is unchanged and this installation signed it. */
  isValid: T.Boolean(),
  /** Why it is not valid. */
  reason: T.Optional(T.Enum(['MALFORMED', 'MODIFIED', 'OTHER_SIGNER'])),
  /** Fingerprint of the key that the receipt names. */
  signer: T.Optional(T.String()),
})
export type ReceiptVerification = Static<typeof ReceiptVerification>
