// What others wrote, on a terminal.
import { stripVTControlCharacters } from 'node:util'

/** A bot's line may try to move the cursor, or to forge another line: what is no letter is shown, not obeyed. */
export const harmless = (text: string) =>
  stripVTControlCharacters(text).replaceAll(
    /[^\P{Cc}\n\t]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
