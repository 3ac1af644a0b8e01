// Discord's Markdown.
import { markdownNotation } from '../text/notations.ts'
import { type Notation, type RichText, writeRichText } from '../text/rich-text.ts'
import { splitRichText } from '../text/split.ts'

const maxContent = 2_000
/** Addresses, mentions and emojis, in which an escape would change the meaning. */
const literal = /(https?:\/\/\S+|<(?:@[!&]?|#|a?:\w{2,32}:)\d{1,20}>)/

/** Other characters of the text that Discord would read as formatting. */
const escapeText = (text: string) =>
  text
    .split(literal)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/[\\*_~`|]/g, '\\$&')))
    .join('')

const unescapeText = (text: string) => text.replace(/\\([\\*_~`|])/g, '$1')

const notation: Notation = {
  ...markdownNotation,
  code: (content) => `\`${unescapeText(content)}\``,
  codeBlock: (content) => `\`\`\`\n${unescapeText(content)}\n\`\`\``,
  toLink: (text, url) => {
    if (!/^https?:/i.test(url) || unescapeText(text) === url) return unescapeText(text)
    return `[${text.replace(/[[\]]/g, '\\$&')}](${url.replace(/[()\s]/g, encodeCharacter)})`
  },
  escapeText,
}

const encodeCharacter = (character: string) =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`

export const writeDiscord = (rich: RichText): string => writeRichText(rich, notation)

/** Returns texts within the limit of a message: formatting takes characters, too. */
export function writeParts(rich: RichText): string[] {
  const written = writeDiscord(rich)
  if (written.length <= maxContent) return [written]
  // A link that is longer than a message keeps its text only.
  if (rich.text.length < 100) return [rich.text]
  return splitRichText(rich, Math.ceil(rich.text.length / 2)).flatMap(writeParts)
}
