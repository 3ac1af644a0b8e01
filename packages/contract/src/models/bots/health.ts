import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

const bytes = T.Integer({ minimum: 0 })
const texts = T.Array(T.String())

/** The isolation of hosted code on the machine of the responding server. */
export const SandboxHealth = closed({
  /**
   * Isolation tier: 1 contains accidents, 2 hostile code. Absent if the server runs no code, for
   * the reason in `refusal`.
   */
  tier: T.Optional(T.Integer({ minimum: 1, maximum: 2 })),
  refusal: T.Optional(T.String()),
  /** Mechanisms in use. */
  protections: texts,
  /** Attacks that the server tried at startup and that the sandbox blocked. */
  stops: texts,
  /** Reasons why the isolation is not stronger. */
  missing: texts,
  /** Processes that have code loaded, and calls that they are running. */
  processes: T.Integer({ minimum: 0 }),
  running: T.Integer({ minimum: 0 }),
})

/** The health of the responding server. The optional parts are for the operator. */
export const Health = closed({
  ready: T.Boolean(),
  /** Reasons why the server is not ready. */
  troubles: texts,
  /** Botstead version. */
  version: T.Optional(T.String()),
  startedAt: T.Optional(Timestamp),
  uptimeSeconds: T.Optional(T.Integer({ minimum: 0 })),
  /** `version` is absent while the database does not respond. */
  database: T.Optional(
    closed({ embedded: T.Boolean(), version: T.Optional(T.String()) }),
  ),
  sandbox: T.Optional(SandboxHealth),
  /** The disk of the data folder. */
  disk: T.Optional(closed({ freeBytes: bytes, totalBytes: bytes })),
})
export type Health = Static<typeof Health>
