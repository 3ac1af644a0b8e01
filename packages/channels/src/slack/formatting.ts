// Slack's formatting: people's messages as blocks `rich_text`, messages of bots as mrkdwn.
import { markdownNotation } from '../text/notations.ts'
import {
  type Mark,
  type MarkKind,
  type Notation,
  type RichText,
  writeRichText,
} from '../text/rich-text.ts'
import type { RichElement, SlackMessage, Style } from './types.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeAll = (text: string) =>
  text.replace(/[&<>]/g, (character) => escapes[character] ?? '')
const unescapeAll = (text: string) =>
  text.replace(
    /&(lt|gt|amp);/g,
    (_, name) => ({ lt: '<', gt: '>', amp: '&' })[name as 'lt'],
  )

/** Mentions of a person or channel stay; those of everybody would call up a whole workspace. */
const escapeText = (text: string) =>
  text
    .split(/(<@[UW][A-Z0-9]{2,20}>|<#[CG][A-Z0-9]{2,20}>)/)
    .map((part, i) => (i % 2 === 1 ? part : escapeAll(part)))
    .join('')

/** Slack's notation of links ends at these. */
const toAddress = (url: string) => escapeAll(url).replace(/[|\s]/g, encodeURIComponent)

const mrkdwn: Notation = {
  bold: ['*', '*'],
  italic: ['_', '_'],
  strike: ['~', '~'],
  code: ['`', '`'],
  codeBlock: ['```\n', '\n```'],
  quote: (content) => content.replace(/^/gm, '> '),
  toLink: (text, url) =>
    /^(?:https?|mailto|tel):/i.test(url)
      ? `<${toAddress(url)}|${text.replaceAll('|', '¦')}>`
      : text,
  escapeText,
}

export const writeMrkdwn = (rich: RichText) => writeRichText(rich, mrkdwn)

/** Writing needs the square of their number. */
const maxMarks = 500

/** Returns the text of a person's message as Markdown. */
export function readText({ text = '', blocks = [] }: SlackMessage): string {
  const rich = blocks.filter(({ type }) => type === 'rich_text')
  if (rich.length === 0 || rich.length < blocks.length) return unescapeAll(text)
  const read = new Reader(rich).rich
  if (read.marks.length > maxMarks || read.marks.length === 0) return read.text
  return writeRichText(read, markdownNotation)
}

const styles: [keyof Style, MarkKind][] = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['strike', 'strike'],
  ['code', 'code'],
]

class Reader {
  private text = ''
  private readonly marks: Mark[] = []
  readonly rich: RichText

  constructor(blocks: RichElement[]) {
    for (const block of blocks)
      for (const element of block.elements ?? []) this.part(element)
    const marks = this.marks.sort((a, b) => a.from - b.from || b.to - a.to)
    this.rich = { text: this.text.trimEnd(), marks }
  }

  private part(element: RichElement): void {
    this.startLine()
    const { type, elements = [] } = element
    if (type === 'rich_text_list') this.list(element)
    else if (type === 'rich_text_quote') this.marked('quote', elements)
    else if (type === 'rich_text_preformatted') this.marked('codeBlock', elements)
    else for (const one of elements) this.inline(one)
  }

  private list({ style, elements = [], indent = 0, offset = 0 }: RichElement): void {
    for (const [i, item] of elements.entries()) {
      this.startLine()
      this.text += '  '.repeat(Math.min(indent, 8))
      this.text += style === 'ordered' ? `${offset + i + 1}. ` : '- '
      for (const one of item.elements ?? []) this.inline(one)
    }
  }

  private marked(kind: MarkKind, elements: RichElement[]): void {
    const from = this.text.length
    for (const one of elements) this.inline(one)
    const to = from + this.text.slice(from).trimEnd().length
    if (to > from) this.marks.push({ kind, from, to })
  }

  private inline(element: RichElement): void {
    const from = this.text.length
    this.text += toPlain(element)
    const to = this.text.length
    const { type, url = '', text, style } = element
    if (type === 'link' && text) this.marks.push({ kind: 'link', from, to, url })
    if (typeof style !== 'object') return
    // A mark does not begin or end with a space in Markdown.
    const inner = this.text.slice(from)
    const start = from + inner.length - inner.trimStart().length
    const end = from + inner.trimEnd().length
    for (const [name, kind] of styles)
      if (style[name] && end > start) this.marks.push({ kind, from: start, to: end })
  }

  private startLine(): void {
    if (this.text !== '' && !this.text.endsWith('\n')) this.text += '\n'
  }
}

const plainTexts: Record<
  string,
  ((element: RichElement) => string | undefined) | undefined
> = {
  link: ({ text, url }) => text || url,
  user: ({ user_id }) => `<@${user_id}>`,
  channel: ({ channel_id }) => `<#${channel_id}>`,
  usergroup: ({ usergroup_id }) => `<!subteam^${usergroup_id}>`,
  broadcast: ({ range }) => `@${range}`,
  emoji: ({ unicode, name }) => toEmoji(unicode) ?? `:${name}:`,
  color: ({ value }) => value,
  date: ({ fallback }) => fallback,
}

const toPlain = (element: RichElement): string =>
  (plainTexts[element.type] ?? (({ text }: RichElement) => text))(element) ?? ''

/** Slack writes code points in hexadecimal: `1f44d-1f3fd`. */
function toEmoji(unicode: string | undefined): string | undefined {
  const codes = unicode?.split('-').map((code) => Number.parseInt(code, 16)) ?? []
  const isValid = codes.length > 0 && codes.every((code) => code > 0 && code <= 0x10ffff)
  return isValid ? String.fromCodePoint(...codes) : undefined
}
