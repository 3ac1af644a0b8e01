import { type Static, Type as T } from 'typebox'
import { closed, id, Properties, Tags, Timestamp } from '../../fields.ts'

/** A user of a bot in the Runtime API. A person who uses two integrations is two users. @component */
export const User = closed({
  id: id('user'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  tags: Tags,
  name: T.Optional(T.String({ maxLength: 200 })),
  pictureUrl: T.Optional(T.String({ maxLength: 40_000 })),
  properties: T.Optional(Properties),
  attributes: T.Optional(Properties),
})
export type User = Static<typeof User>
