// The shapes of messages in cards.
import { type Static, Type as T } from 'typebox'
import { Template, where } from './shapes.ts'

/**
 * Required payload fields by message type. Other fields are allowed, and so are types that only
 * integrations know.
 */
export const messageNeeds: Record<string, string[]> = {
  text: ['text'],
  markdown: ['markdown'],
  image: ['imageUrl'],
  audio: ['audioUrl'],
  video: ['videoUrl'],
  file: ['fileUrl'],
  location: ['latitude', 'longitude'],
  card: ['title', 'actions'],
  carousel: ['items'],
  choice: ['text', 'options'],
  dropdown: ['text', 'options'],
  bloc: ['items'],
}

/** A message: `type` and the fields of its payload, on one level. */
export const MessageTemplate = T.Unsafe<{ type: string; [field: string]: unknown }>({
  description:
    'A message: its `type` and the fields of its payload; {{ }} in its texts holds a JavaScript expression',
  type: 'object',
  required: ['type'],
  properties: {
    type: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      examples: Object.keys(messageNeeds),
    },
  },
  allOf: Object.entries(messageNeeds).map(([type, required]) =>
    where('type', type, { required }),
  ),
})
export type MessageTemplate = Static<typeof MessageTemplate>

/** A message, or the text of a text message. */
export const Say = T.Union([Template, MessageTemplate])
