// Notations of formatted text that several providers read.
import type { Notation } from './rich-text.ts'

export const markdownNotation: Notation = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  strike: ['~~', '~~'],
  code: ['`', '`'],
  codeBlock: ['```\n', '\n```'],
  quote: (content) => content.replace(/^/gm, '> '),
  toLink: (text, url) => `[${text}](${url})`,
}
