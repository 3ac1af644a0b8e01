// Formatting of Google Chat: its own in texts (https://developers.google.com/workspace/chat/format-messages), HTML
// in cards.
import type { Notation } from '../text/rich-text.ts'

/** What would be a mention or a link gets a character without width, since nothing escapes it. */
const escapeText = (text: string) =>
  text.replace(/<(?=users\/|https?:|mailto:)/gi, '<\u200b')

export const chatNotation: Notation = {
  bold: ['*', '*'],
  italic: ['_', '_'],
  strike: ['~', '~'],
  code: ['`', '`'],
  codeBlock: ['```\n', '\n```'],
  quote: (content) => content.replace(/^/gm, '> '),
  toLink: (text, url) => {
    const isLink = /^(?:https?|mailto):[^\s<>|]+$/i.test(url)
    if (!isLink || text === url) return text
    return `<${url}|${text.replace(/[<>|\n]/g, ' ')}>`
  },
  escapeText,
}

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export const cardNotation: Notation = {
  bold: ['<b>', '</b>'],
  italic: ['<i>', '</i>'],
  strike: ['<s>', '</s>'],
  toLink: (text, url) =>
    /^https?:/i.test(url) ? `<a href="${escapeHtml(url)}">${text}</a>` : text,
  escapeText: (text) => escapeHtml(text).replaceAll('\n', '<br>'),
}
