// How the chat page and the widget look: a part of the configuration of the chat integrations. The page
// shows every field to visitors, so none is secret.
import type { JsonSchema } from '../../../infra/lib/json-schemas.ts'

/** Languages of the page: the files in `page/texts`. */
const chatLanguages = ['en', 'ar', 'de', 'es', 'fr', 'pt']

const properties: Record<string, JsonSchema> = {
  name: {
    type: 'string',
    maxLength: 100,
    title: 'Name',
    description: 'Default: the name of the bot.',
  },
  avatarUrl: {
    ...{ type: 'string', maxLength: 2_000, pattern: '^https?://' },
    ...{ title: 'Picture', description: 'Address of a square image.' },
  },
  color: {
    ...{ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
    ...{ title: 'Colour', description: 'Of the button and of what visitors write: #1f5c4a.' },
  },
  radius: { type: 'integer', minimum: 0, maximum: 24, title: 'Roundness of corners, in pixels' },
  theme: { enum: ['system', 'light', 'dark'], title: 'Theme', description: 'Default: system.' },
  position: {
    enum: ['right', 'left'],
    title: 'Side of the button',
    description: 'Default: right.',
  },
  greeting: {
    ...{ type: 'string', maxLength: 2_000, title: 'Greeting' },
    description: 'Shown in a conversation without messages. Markdown.',
  },
  suggestions: {
    ...{ type: 'array', maxItems: 6, title: 'Suggested questions' },
    items: { type: 'string', minLength: 1, maxLength: 150 },
  },
  language: {
    ...{ enum: chatLanguages, title: 'Language' },
    description: 'Default: the language of the visitor, or English.',
  },
  uploads: {
    ...{ type: 'boolean', title: 'Visitors can send files' },
    description: 'Default: yes. At most 100 MB per file.',
  },
}

export const appearanceSchema: JsonSchema = {
  type: 'object',
  title: 'Appearance',
  properties,
  additionalProperties: false,
}
