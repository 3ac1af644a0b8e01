// Payloads of chat messages. Unknown keys are accepted and stored, since clients and bots add custom ones.
// `type` is the first property of each variant and text the first variant, so the validator accepts or
// rejects most messages after one comparison.
import { type Static, Type as T } from 'typebox'

const Filled = T.String({ minLength: 1 })

const Text = T.Object({ type: T.Literal('text'), text: Filled })
const Markdown = T.Object({ type: T.Literal('markdown'), markdown: Filled })
const Image = T.Object({ type: T.Literal('image'), imageUrl: Filled })
const Audio = T.Object({ type: T.Literal('audio'), audioUrl: Filled })
const Video = T.Object({ type: T.Literal('video'), videoUrl: Filled })
const File = T.Object({ type: T.Literal('file'), fileUrl: Filled, title: T.Optional(Filled) })
const Location = T.Object({
  type: T.Literal('location'),
  latitude: T.Number(),
  longitude: T.Number(),
  address: T.Optional(T.String()),
  title: T.Optional(T.String()),
})

const Option = T.Object({ label: Filled, value: Filled })
const Choice = T.Object({ type: T.Literal('choice'), text: Filled, options: T.Array(Option) })
const Dropdown = T.Object({ type: T.Literal('dropdown'), text: Filled, options: T.Array(Option) })

const card = {
  title: Filled,
  subtitle: T.Optional(Filled),
  imageUrl: T.Optional(Filled),
  actions: T.Array(T.Object({ action: T.Enum(['postback', 'url', 'say']), label: Filled, value: Filled })),
}
const Card = T.Object({ type: T.Literal('card'), ...card })
/** Older clients omit the type of the cards. Newer ones require it, so responses always contain it. */
const Carousel = T.Object({
  type: T.Literal('carousel'),
  items: T.Array(T.Object({ type: T.Optional(T.Literal('card')), ...card })),
})

const Bloc = T.Object({
  type: T.Literal('bloc'),
  items: T.Array(T.Union([Text, Markdown, Image, Audio, Video, File, Location])),
})

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
