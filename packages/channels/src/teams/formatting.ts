// The Markdown of Teams (https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages).
import { markdownNotation } from '../text/notations.ts'
import type { Notation } from '../text/rich-text.ts'

const addresses = /(https?:\/\/\S+)/

/** Characters that Teams would read as formatting, and line breaks, which need two spaces before them. */
const escapePart = (text: string) =>
  text
    .replace(/[\\*_~`[\]]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/^([#>+-])/gm, '\\$1')
    .replace(/(?<!\n)\n(?!\n)/g, '  \n')

const escapeText = (text: string) =>
  text
    .split(addresses)
    .map((part, i) => (i % 2 === 1 ? part : escapePart(part)))
    .join('')

/** Inside of code, nothing is formatting. */
const unescapeText = (text: string) =>
  text
    .replaceAll('  \n', '\n')
    .replace(/\\([\\*_~`[\]#>+-])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

export const teamsNotation: Notation = {
  ...markdownNotation,
  code: (content) => `\`${unescapeText(content)}\``,
  codeBlock: (content) => `\`\`\`\n${unescapeText(content)}\n\`\`\``,
  toLink: (text, url) => {
    if (!/^(?:https?|mailto|tel):/i.test(url) || unescapeText(text) === url) return text
    return `[${text}](${url.replace(/[()\s]/g, encodeCharacter)})`
  },
  escapeText,
}

const encodeCharacter = (character: string) =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
