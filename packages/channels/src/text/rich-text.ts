// Formatted text: plain text with marks at positions, to which Markdown of bots is converted, and from which
// each channel makes the formatting of its provider.
import MarkdownIt from 'markdown-it'

export type MarkKind =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'code'
  | 'codeBlock'
  | 'quote'
  | 'link'

/** `from` and `to` count UTF-16 code units, as JavaScript does. */
export interface Mark {
  kind: MarkKind
  from: number
  to: number
  /** Of a link. */
  url?: string
}

export interface RichText {
  text: string
  marks: Mark[]
}

const parser = new MarkdownIt({ html: false, linkify: false, breaks: true })

const markKinds: Record<string, MarkKind> = {
  strong: 'bold',
  em: 'italic',
  s: 'strike',
  link: 'link',
  blockquote: 'quote',
  heading: 'bold',
}

type Token = ReturnType<typeof parser.parse>[number]

/** Reads Markdown. Elements without a mark keep their text: list items begin with a bullet or number. */
export function toRichText(markdown: string): RichText {
  const writer = new Writer()
  for (const token of parser.parse(markdown, {})) writer.block(token)
  return writer.end()
}

class Writer {
  private text = ''
  private readonly marks: Mark[] = []
  private readonly open: { kind: MarkKind; from: number; url?: string }[] = []
  /** Of the lists around; null is a list with bullets. */
  private readonly numbers: (number | null)[] = []

  block(token: Token): void {
    const { type, children, content } = token
    if (type === 'inline') for (const child of children ?? []) this.inline(child)
    else if (type === 'fence' || type === 'code_block') this.code(content)
    else if (type === 'hr') this.line('———')
    else if (type === 'bullet_list_open') this.list(null)
    else if (type === 'ordered_list_open') this.list(Number(token.attrGet('start') ?? 1))
    else if (type.endsWith('_list_close')) this.numbers.pop()
    else if (type === 'list_item_open') this.item()
    else if (type === 'td_open' || type === 'th_open') this.cell()
    else if (type === 'tr_open') this.startLine()
    else this.nest(token)
  }

  private nest(token: Token): void {
    const name = token.type.replace(/_(open|close)$/, '')
    if (token.nesting === 1 && isBlock(name)) this.startBlock()
    const kind = markKinds[name]
    if (!kind) return
    const url = getAttribute(token, 'href')
    if (token.nesting === 1)
      this.open.push({ kind, from: this.text.length, ...(url && { url }) })
    else this.closeMark()
  }

  private inline(token: Token): void {
    const { type, content, nesting } = token
    if (type === 'text') this.text += content
    else if (type === 'softbreak' || type === 'hardbreak') this.text += '\n'
    else if (type === 'code_inline') this.marked('code', content)
    else if (type === 'image') this.image(token)
    else if (nesting !== 0) this.nest(token)
  }

  private image(token: Token): void {
    const url = getAttribute(token, 'src')
    const from = this.text.length
    this.text += token.content || url
    this.marks.push({ kind: 'link', from, to: this.text.length, url })
  }

  private marked(kind: MarkKind, content: string): void {
    const from = this.text.length
    this.text += content
    this.marks.push({ kind, from, to: this.text.length })
  }

  private code(content: string): void {
    this.startBlock()
    this.marked('codeBlock', content.replace(/\n$/, ''))
  }

  private line(content: string): void {
    this.startBlock()
    this.text += content
  }

  private list(first: number | null): void {
    this.startBlock()
    this.numbers.push(first)
  }

  private item(): void {
    this.startLine()
    const number = this.numbers.at(-1)
    const indent = '  '.repeat(Math.max(0, this.numbers.length - 1))
    this.text += indent + (typeof number === 'number' ? `${number}. ` : '• ')
    if (typeof number === 'number') this.numbers[this.numbers.length - 1] = number + 1
  }

  private cell(): void {
    if (this.text !== '' && !this.text.endsWith('\n')) this.text += ' | '
  }

  private startLine(): void {
    if (this.text !== '' && !this.text.endsWith('\n')) this.text += '\n'
  }

  /** An empty line between blocks; none at the beginning of a list item. */
  private startBlock(): void {
    if (this.text === '' || /(?:^|\n) *(?:•|\d{1,9}\.) $/.test(this.text.slice(-40)))
      return
    if (this.numbers.length > 0) this.startLine()
    else this.text = `${this.text.trimEnd()}\n\n`
  }

  private closeMark(): void {
    const opened = this.open.pop()
    if (!opened) return
    const to = this.text.length
    if (to > opened.from) this.marks.push({ ...opened, to })
  }

  end(): RichText {
    const text = this.text.trimEnd()
    const marks = this.marks
      .map((mark) => ({ ...mark, to: Math.min(mark.to, text.length) }))
      .filter(({ from, to }) => to > from)
      .sort((a, b) => a.from - b.from || b.to - a.to)
    return { text, marks }
  }
}

const getAttribute = (token: Token, name: string) => String(token.attrGet(name) ?? '')

const isBlock = (name: string) =>
  ['paragraph', 'heading', 'blockquote', 'table'].includes(name)

/** Returns the text from one position to another, with its marks. */
export function sliceRichText(
  { text, marks }: RichText,
  from: number,
  to: number,
): RichText {
  return {
    text: text.slice(from, to),
    marks: marks.flatMap((mark) => {
      const start = Math.max(mark.from, from)
      const end = Math.min(mark.to, to)
      return end > start ? [{ ...mark, from: start - from, to: end - from }] : []
    }),
  }
}

/** What a mark becomes in a notation such as Markdown: its beginning and end, or a function of its content. */
export type Notation = Partial<
  Record<MarkKind, [string, string] | ((content: string) => string)>
> & {
  /** Of a link; default: the text, with the address in parentheses. */
  toLink?: (text: string, url: string) => string
  escapeText?: (text: string) => string
}

/** Writes the text in a notation; a mark that it does not have leaves its text. */
export function writeRichText({ text, marks }: RichText, notation: Notation): string {
  const { escapeText = (plain: string) => plain, toLink = writeLink } = notation
  const write = (from: number, to: number, inner: Mark[]): string => {
    let written = ''
    let at = from
    for (const mark of inner) {
      if (mark.from < at) continue
      written += escapeText(text.slice(at, mark.from))
      const nested = inner.filter((one) => one !== mark && isInside(one, mark))
      const isCode = mark.kind === 'code' || mark.kind === 'codeBlock'
      const content = write(mark.from, mark.to, isCode ? [] : nested)
      written +=
        mark.kind === 'link'
          ? toLink(content, mark.url ?? '')
          : wrap(content, notation[mark.kind])
      at = mark.to
    }
    return written + escapeText(text.slice(at, to))
  }
  return write(0, text.length, marks)
}

function wrap(
  content: string,
  how: [string, string] | ((content: string) => string) = ['', ''],
) {
  return typeof how === 'function' ? how(content) : how[0] + content + how[1]
}

const isInside = (one: Mark, outer: Mark) => one.from >= outer.from && one.to <= outer.to

const writeLink = (text: string, url: string) =>
  text === url || text === '' ? url : `${text} (${url})`
