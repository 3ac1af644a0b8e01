import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Json, nullable, Timestamp } from '../../fields.ts'
import { chatProfile } from './chat-user.ts'

/** A user or participant in the Webchat API. @component */
export const WebchatUser = closed({
  id: T.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  name: T.Optional(T.String()),
  pictureUrl: T.Optional(T.String()),
  data: T.Optional(Json),
  attributes: T.Optional(dictionary(T.String())),
})
export type WebchatUser = Static<typeof WebchatUser>

/** A JWT (HS256), signed with the encryption key or the admin secret of the integration. */
const Signed = T.String({ maxLength: 100_000 })
const Attribute = T.String({ maxLength: 1000 })
const profile = { name: chatProfile.name, pictureUrl: chatProfile.pictureUrl }

/** The profile of a new user. */
export const newWebchatProfile = {
  ...profile,
  userData: T.Optional(T.Union([Json, Signed])),
  attributes: T.Optional(T.Union([dictionary(Attribute), Signed])),
}

/** Changes of a profile. Absent properties stay unchanged; null removes a value. */
export const webchatProfileChanges = {
  ...profile,
  userData: T.Optional(T.Union([Json, Signed, T.Null()])),
  attributes: T.Optional(T.Union([dictionary(nullable(Attribute)), Signed])),
}
