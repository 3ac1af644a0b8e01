// Extracts text from HTML in one pass without building a tree, so that time and memory are linear.
import { Parser } from 'htmlparser2'
import { type Block, type BlockKind, depthGuard, oneLine } from './blocks.ts'

/** Elements with content that is not text to read. */
const silent = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'head',
  'nav',
  'iframe',
  'object',
  'select',
  'button',
  'form',
])
const kinds: Record<string, BlockKind> = {
  blockquote: 'blockquote',
  ul: 'list',
  ol: 'list',
  dl: 'list',
  table: 'table',
  pre: 'code',
}
/** Elements that begin and end a paragraph. */
const blocks = new Set(
  [
    'address article aside body caption center dd details div dt fieldset figcaption figure footer header hr',
    'li main p section summary td th tr h1 h2 h3 h4 h5 h6',
  ].flatMap((names) => names.split(' ')),
)

export function htmlBlocks(html: string): Block[] {
  const reader = new HtmlReader()
  const depth = depthGuard()
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth.opened()
        reader.open(name, attributes)
      },
      ontext: (data) => reader.text(data),
      onclosetag(name) {
        depth.closed()
        reader.close(name)
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.write(html)
  parser.end()
  return reader.end()
}

class HtmlReader {
  readonly #found: Block[] = []
  /** The open blocks, the innermost last. */
  readonly #open: BlockKind[] = []
  /** Text of the current block. */
  #text = ''
  /** Depth of open elements whose text is not content. */
  #muted = 0
  #title: string | null = null
  #inTitle = false
  /** Level of the current heading; 0 outside of headings. */
  #heading = 0
  /** Rows of the current table. */
  #rows = 0
  #header = ''

  get #kind(): BlockKind | undefined {
    return this.#open.at(-1)
  }

  open(name: string, { alt }: Record<string, string>): void {
    if (name === 'title' && this.#title === null) this.#inTitle = true
    if (silent.has(name)) this.#muted += 1
    if (this.#muted > 0) return
    const kind = kinds[name]
    if (kind) this.#openBlock(kind)
    else if (isHeading(name) && this.#open.length === 0) {
      this.#emit()
      this.#heading = Number(name[1])
    } else this.#separate(name)
    if (name === 'img' && alt) this.#text += ` ${alt} `
  }

  #openBlock(kind: BlockKind): void {
    // A nested list is part of the outer one.
    if (this.#kind !== kind || kind !== 'list') this.#emit()
    this.#open.push(kind)
    if (kind !== 'table') return
    this.#rows = 0
    this.#header = ''
  }

  /** Separates the element's text from the text before. */
  #separate(name: string): void {
    if (name === 'br' || name === 'tr') this.#text += '\n'
    else if (name === 'li' || name === 'dt')
      this.#text += `\n${'  '.repeat(Math.max(0, this.#open.length - 1))}- `
    else if (name === 'td' || name === 'th')
      this.#text += this.#text === '' || this.#text.endsWith('\n') ? '' : ' | '
    else if (blocks.has(name) && this.#open.length === 0) this.#emit()
    else if (blocks.has(name)) this.#text += ' '
  }

  text(data: string): void {
    if (this.#inTitle) this.#title = (this.#title ?? '') + data
    else if (this.#muted === 0)
      this.#text += this.#kind === 'code' ? data : data.replaceAll(/\s+/g, ' ')
  }

  close(name: string): void {
    if (name === 'title') this.#inTitle = false
    if (silent.has(name)) this.#muted = Math.max(0, this.#muted - 1)
    if (this.#muted > 0) return
    if (name === 'tr' && this.#kind === 'table') this.#endRow()
    if (kinds[name] && this.#open.length > 0) {
      if (this.#kind !== 'list' || this.#open.at(-2) !== 'list') this.#emitTable()
      this.#open.pop()
    } else if (isHeading(name) && this.#heading > 0) {
      this.#emit()
      this.#heading = 0
    } else if (blocks.has(name) && this.#open.length === 0) this.#emit()
  }

  #endRow(): void {
    this.#rows += 1
    if (this.#rows > 1) return
    this.#header = linesOf(this.#text)
    this.#text = ''
  }

  /** Treats the only row of a table as content, not as a header. */
  #emitTable(): void {
    if (this.#kind === 'table' && this.#text.trim() === '' && this.#rows === 1) {
      this.#text = this.#header
      this.#header = ''
    }
    this.#emit()
    this.#header = ''
  }

  #emit(): void {
    const kind = this.#kind ?? 'paragraph'
    const content = contentOf(kind, this.#text)
    this.#text = ''
    if (content === '') return
    if (this.#heading > 0)
      this.#found.push({ kind: 'heading', level: this.#heading, text: oneLine(content) })
    else
      this.#found.push({
        ...{ kind, text: content },
        ...(kind === 'table' && this.#header !== '' && { header: this.#header }),
      })
  }

  /** Returns the blocks of the document, its title first. */
  end(): Block[] {
    this.#emit()
    const title = oneLine(this.#title ?? '')
    return title === '' ? this.#found : [{ kind: 'heading', level: 0, text: title }, ...this.#found]
  }
}

const isHeading = (name: string) => /^h[1-6]$/.test(name)

function contentOf(kind: BlockKind, text: string): string {
  if (kind === 'code') return text.replace(/^\n+|\s+$/g, '')
  return kind === 'paragraph' || kind === 'blockquote' ? oneLine(text) : linesOf(text)
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trimEnd())
    .map((line) => line.replace(/^ (?! *-)/, ''))
    .filter((line) => line.trim() !== '' && line.trim() !== '-')
    .join('\n')
