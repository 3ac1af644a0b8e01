// Matrix's formatting: a plain text, and HTML beside it.
import { type Notation, type RichText, writeRichText } from '../text/rich-text.ts'

const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const toAttribute = (url: string) => escapeHtml(url).replace(/"/g, '&quot;')

const htmlNotation: Notation = {
  bold: ['<strong>', '</strong>'],
  italic: ['<em>', '</em>'],
  strike: ['<del>', '</del>'],
  code: ['<code>', '</code>'],
  codeBlock: (content) => `<pre><code>${content.replaceAll('<br>', '\n')}</code></pre>`,
  quote: ['<blockquote>', '</blockquote>'],
  escapeText: (text) => escapeHtml(text).replaceAll('\n', '<br>'),
  toLink: (text, url) =>
    /^(https?|mailto|matrix):/i.test(url)
      ? `<a href="${toAttribute(url)}">${text}</a>`
      : text,
}

/** An event has at most 65,536 bytes. */
const maxBytes = 50_000

/** Returns the fields of a text. A text with too much HTML goes without it. */
export function toTextFields(rich: RichText): Record<string, string> {
  const plain = { msgtype: 'm.text', body: writeRichText(rich, {}) }
  if (rich.marks.length === 0) return plain
  const html = writeRichText(rich, htmlNotation)
  const all = { ...plain, format: 'org.matrix.custom.html', formatted_body: html }
  return Buffer.byteLength(JSON.stringify(all)) <= maxBytes ? all : plain
}
