// Makes text of bots and other users safe for a terminal.
import { stripVTControlCharacters } from 'node:util'

/** Returns `stored responses` for `storedResponses`. */
export const inWords = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/**
 * Removes escape sequences and shows other control characters as \uXXXX: they could forge output.
 */
export const toPrintable = (text: string) =>
  stripVTControlCharacters(text).replaceAll(
    /[^\P{Cc}\n\t]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
