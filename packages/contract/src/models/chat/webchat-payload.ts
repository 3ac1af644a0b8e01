// Payloads of webchat messages: those of chat messages, with three differences. The items of a bloc
// have a nested payload, the cards of a carousel have no type, and there is the type `custom`, which
// the page that embeds the webchat renders itself.
import { type Static, Type as T, type TSchema } from 'typebox'
import { sharedPayloads } from './chat-payload.ts'

const NonEmpty = T.String({ minLength: 1 })
const {
  Text,
  Markdown,
  Image,
  Audio,
  Video,
  File,
  Location,
  Choice,
  Dropdown,
  Card,
  Carousel,
} = sharedPayloads

const item = <const Name extends string, S extends TSchema>(type: Name, payload: S) =>
  T.Object({ type: T.Literal(type), payload })

/** One item of a bloc. @component */
export const WebchatBlocItem = T.Union([
  item('text', T.Omit(Text, ['type'])),
  item('markdown', T.Omit(Markdown, ['type'])),
  item('image', T.Omit(Image, ['type'])),
  item('audio', T.Omit(Audio, ['type'])),
  item('video', T.Omit(Video, ['type'])),
  item('file', T.Omit(File, ['type'])),
  item('location', T.Omit(Location, ['type'])),
])
const Bloc = T.Object({ type: T.Literal('bloc'), items: T.Array(WebchatBlocItem) })
const Custom = T.Object({
  type: T.Literal('custom'),
  url: NonEmpty,
  name: NonEmpty,
  data: T.Optional(T.Unknown()),
})

/** @component */
export const WebchatPayload = T.Union([
  Text,
  Markdown,
  Image,
  Audio,
  Video,
  File,
  Location,
  Choice,
  Dropdown,
  Card,
  Carousel,
  Bloc,
  Custom,
])
export type WebchatPayload = Static<typeof WebchatPayload>
