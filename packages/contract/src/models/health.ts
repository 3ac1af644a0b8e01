import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'

const bytes = T.Integer({ minimum: 0 })
const words = T.Array(T.String())

/** What holds around hosted code on the machine of the server that answers. */
export const SandboxHealth = closed({
  /** 1 contains accidents, 2 is a wall against hostile code. Absent where no code is run: `refusal` says why. */
  tier: T.Optional(T.Integer({ minimum: 1, maximum: 2 })),
  refusal: T.Optional(T.String()),
  /** What it is made of. */
  protections: words,
  /** What was tried against it when the server started, in vain. */
  stops: words,
  /** Why it is not better. */
  missing: words,
  /** Processes that hold code, and calls that they are answering. */
  processes: T.Integer({ minimum: 0 }),
  running: T.Integer({ minimum: 0 }),
})

/** How the server that answers is. */
export const Health = closed({
  /** Of Botstead. */
  version: T.String(),
  ready: T.Boolean(),
  /** Why it is not. */
  troubles: words,
  startedAt: Timestamp,
  uptimeSeconds: T.Integer({ minimum: 0 }),
  /** `version` is absent while it does not answer. */
  database: closed({ embedded: T.Boolean(), version: T.Optional(T.String()) }),
  sandbox: SandboxHealth,
  /** Of the data folder. */
  disk: closed({ freeBytes: bytes, totalBytes: bytes }),
})
export type Health = Static<typeof Health>
