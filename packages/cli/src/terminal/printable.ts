// Makes text of bots and other users safe for a terminal.
import { stripVTControlCharacters } from 'node:util'

/** Returns `stored responses` for `storedResponses`. */
export const inWords = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/**
 * Removes escape sequences, and shows other control characters and those that reverse text as
 * \uXXXX: they could forge output. In a line, spaces replace tabs and line breaks.
 */
export const toPrintable = (text: string, shape: 'text' | 'line' = 'text'): string =>
  stripVTControlCharacters(
    shape === 'line' ? text.replaceAll(/\s+/g, ' ') : text,
  ).replaceAll(
    /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
