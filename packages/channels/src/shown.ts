// What a person sees of the messages of a bot: the table of docs/channels.md has it, and tests compare it
// with what arrives at the stand-in of each provider.

/** Types of messages, in the order of the table. */
export const messageTypes = [
  'text',
  'image',
  'audio',
  'video',
  'file',
  'location',
  'choice',
  'dropdown',
  'card',
  'carousel',
] as const
export type MessageType = (typeof messageTypes)[number]

/**
 * `text`: a text. `file`: the file itself. `link`: the address of the file, or of a map. `place`: a place on
 * the map. `buttons`: buttons or a menu. `numbers`: a numbered list; the number of an option chooses it.
 */
export type ShownAs = 'text' | 'file' | 'link' | 'place' | 'buttons' | 'numbers'

export type ShownMessages = Record<MessageType, ShownAs>

/** As a provider with everything shows them. */
export const native: ShownMessages = {
  text: 'text',
  image: 'file',
  audio: 'file',
  video: 'file',
  file: 'file',
  location: 'place',
  choice: 'buttons',
  dropdown: 'buttons',
  card: 'buttons',
  carousel: 'buttons',
}
export const fileLinks = {
  image: 'link',
  audio: 'link',
  video: 'link',
  file: 'link',
} as const
export const numbers = {
  choice: 'numbers',
  dropdown: 'numbers',
  card: 'numbers',
  carousel: 'numbers',
} as const
