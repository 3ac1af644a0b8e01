import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

const apiKey = { id: T.String(), createdAt: Timestamp, note: T.String() }

/** A personal access token or an API key, without the secret. @component */
export const ApiKey = closed(apiKey)
export type ApiKey = Static<typeof ApiKey>

/** An API key with its secret, which only the response to its creation contains. @component */
export const NewApiKey = closed({ ...apiKey, value: T.String() })
export type NewApiKey = Static<typeof NewApiKey>
