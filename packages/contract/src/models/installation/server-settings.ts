import { type Static, Type as T } from 'typebox'
import { closed, nullable } from '../../fields.ts'

const line = (maxLength: number) =>
  T.String({ minLength: 1, maxLength, pattern: '^[^\\r\\n]*$' })

const address = {
  /** The origin at which people and messengers reach the server, such as https://bots.example.org. */
  url: line(1_000),
}
const model = {
  type: T.Enum(['openai', 'anthropic', 'google', 'mistral', 'openai-compatible']),
  /** Base URL. Required for `openai-compatible`; null for the provider's own. */
  url: nullable(line(1_000)),
  /** The provider's name of the model. */
  model: line(200),
}
const backups = {
  /** Five cron fields, in UTC. */
  schedule: line(200),
  /** How many scheduled backups are kept. */
  keep: T.Integer({ minimum: 1, maximum: 1_000 }),
  /** Restores each one into a temporary database. */
  verify: T.Boolean(),
}
const mail = {
  host: line(255),
  port: T.Integer({ minimum: 1, maximum: 65_535 }),
  /** `tls` from the beginning, mostly at port 465; `starttls` mostly at 587. */
  security: T.Enum(['tls', 'starttls', 'none']),
  /** Null: the server needs no sign-in. */
  user: nullable(line(320)),
  /** The sender: an address, or a name and an address in angle brackets. */
  from: line(500),
}
/** Absent: the stored one stays, if it is for the same server. Null removes it. */
const secret = T.Optional(nullable(T.String({ minLength: 1, maxLength: 4_000 })))

/** Fields of settings, without their secrets. */
export const settingFields = { address, model, backups, mail }

/** Settings to replace; null removes one. @component */
export const ServerSettingsChange = closed({
  address: T.Optional(nullable(closed(address))),
  model: T.Optional(nullable(closed({ ...model, key: secret }))),
  embeddings: T.Optional(nullable(closed({ ...model, key: secret }))),
  backups: T.Optional(nullable(closed(backups))),
  mail: T.Optional(nullable(closed({ ...mail, password: secret }))),
})
export type ServerSettingsChange = Static<typeof ServerSettingsChange>
