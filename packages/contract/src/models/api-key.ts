import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'

const apiKey = { id: T.String(), createdAt: Timestamp, note: T.String() }

/** A personal access token or a key of a bot, without the secret. */
export const ApiKey = closed(apiKey)
export type ApiKey = Static<typeof ApiKey>

/** The same with the secret, which is shown once: when it is made. */
export const NewApiKey = closed({ ...apiKey, value: T.String() })
export type NewApiKey = Static<typeof NewApiKey>
