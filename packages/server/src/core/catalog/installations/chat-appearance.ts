// How the chat page and the widget look: a part of the configuration of the chat integrations. The page
// shows every field to visitors, so none is secret.
import type { JsonSchema } from '../../compute/index.ts'

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
    type: 'string',
    maxLength: 2_000,
    pattern: '^https?://',
    title: 'Picture',
    description: 'Address of a square image.',
    examples: ['https://example.org/picture.png'],
  },
  color: {
    type: 'string',
    pattern: '^#[0-9a-fA-F]{6}$',
    title: 'Colour',
    description: 'Of the button and of the messages of visitors.',
    default: '#1f5c4a',
    examples: ['#0f766e'],
  },
  radius: {
    type: 'integer',
    minimum: 0,
    maximum: 24,
    title: 'Roundness of corners, in pixels',
    default: 18,
  },
  theme: { enum: ['system', 'light', 'dark'], title: 'Theme', default: 'system' },
  position: {
    enum: ['right', 'left'],
    title: 'Side of the button',
    default: 'right',
  },
  greeting: {
    type: 'string',
    maxLength: 2_000,
    title: 'Greeting',
    description: 'Shown in a conversation without messages. Markdown.',
  },
  suggestions: {
    type: 'array',
    maxItems: 6,
    title: 'Suggested questions',
    items: { type: 'string', title: 'Suggested question', minLength: 1, maxLength: 150 },
  },
  language: {
    enum: chatLanguages,
    title: 'Language',
    description: 'Default: the language of the visitor, or English.',
  },
  uploads: {
    type: 'boolean',
    title: 'Visitors can send files',
    default: true,
    description: 'At most 100 MB per file.',
  },
}

export const appearanceSchema: JsonSchema = {
  type: 'object',
  title: 'Appearance',
  properties,
  additionalProperties: false,
}
