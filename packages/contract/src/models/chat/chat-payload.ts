// Payloads of chat messages. Unknown keys are accepted and stored, since clients and bots add
// custom ones. `type` is the first property of each variant and text the first variant, so the
// validator accepts or rejects most messages after one comparison.
import { type Static, Type as T } from 'typebox'

const NonEmpty = T.String({ minLength: 1 })

const Text = T.Object({ type: T.Literal('text'), text: NonEmpty })
const Markdown = T.Object({ type: T.Literal('markdown'), markdown: NonEmpty })
const Image = T.Object({ type: T.Literal('image'), imageUrl: NonEmpty })
const Audio = T.Object({ type: T.Literal('audio'), audioUrl: NonEmpty })
const Video = T.Object({ type: T.Literal('video'), videoUrl: NonEmpty })
const File = T.Object({
  type: T.Literal('file'),
  fileUrl: NonEmpty,
  title: T.Optional(NonEmpty),
})
const Location = T.Object({
  type: T.Literal('location'),
  latitude: T.Number(),
  longitude: T.Number(),
  address: T.Optional(T.String()),
  title: T.Optional(T.String()),
})

const Option = T.Object({ label: NonEmpty, value: NonEmpty })
const Choice = T.Object({
  type: T.Literal('choice'),
  text: NonEmpty,
  options: T.Array(Option),
})
const Dropdown = T.Object({
  type: T.Literal('dropdown'),
  text: NonEmpty,
  options: T.Array(Option),
})

const card = {
  title: NonEmpty,
  subtitle: T.Optional(NonEmpty),
  imageUrl: T.Optional(NonEmpty),
  actions: T.Array(
    T.Object({
      action: T.Enum(['postback', 'url', 'say']),
      label: NonEmpty,
      value: NonEmpty,
    }),
  ),
}
const Card = T.Object({ type: T.Literal('card'), ...card })
/**
 * Older clients omit the type of the cards. Newer ones require it, so responses always contain it.
 */
const Carousel = T.Object({
  type: T.Literal('carousel'),
  items: T.Array(T.Object({ type: T.Optional(T.Literal('card')), ...card })),
})

const Bloc = T.Object({
  type: T.Literal('bloc'),
  items: T.Array(T.Union([Text, Markdown, Image, Audio, Video, File, Location])),
})

/** @component */
export const ChatPayload = T.Union([
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
])
export type ChatPayload = Static<typeof ChatPayload>

/** The variants that the Webchat API shares. */
export const sharedPayloads = {
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
}
