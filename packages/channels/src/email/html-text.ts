// The text of an e-mail that has HTML only, without the quoted e-mail.
import { setImmediate as turn } from 'node:timers/promises'
import { Parser } from 'htmlparser2'

/** In characters: a piece takes about 10 ms, and others have a turn in between. */
const pieceLength = 16_384

const blocks = new Set(
  'address article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(
    ' ',
  ),
)
const hidden = new Set(['head', 'script', 'style', 'title', 'template'])
const quotes =
  /\b(?:gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote|gmail_signature)\b/
const quoteIds = new Set([
  'appendonsend',
  'divRplyFwdMsg',
  'mail-editor-reference-message-container',
])

const isSkipped = (
  name: string,
  { class: classes = '', id = '', type = '' }: Record<string, string>,
) =>
  hidden.has(name) ||
  quotes.test(classes) ||
  quoteIds.has(id) ||
  (name === 'blockquote' && type === 'cite')

/** Links have their address in parentheses. */
export async function toPlainText(html: string): Promise<string> {
  const writer = new TextWriter()
  /** Elements that are open since the skipped one; 0: nothing is skipped. */
  let skipped = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (skipped > 0 || isSkipped(name, attributes)) return void skipped++
      if (blocks.has(name)) writer.startLine(name)
      if (name === 'li') writer.add('• ')
      if (name === 'a') writer.openLink(attributes.href ?? '')
    },
    ontext(data) {
      if (skipped === 0) writer.addText(data)
    },
    onclosetag(name) {
      if (skipped > 0) return void skipped--
      if (name === 'a') writer.closeLink()
      if (blocks.has(name) && name !== 'br') writer.startLine(name)
    },
  })
  for (let at = 0; at < html.length; at += pieceLength) {
    parser.write(html.slice(at, at + pieceLength))
    await turn()
  }
  parser.end()
  return writer.end()
}

/** Collects pieces: asking a growing string for its end would copy it each time. */
class TextWriter {
  readonly #pieces: string[] = []
  #end = ''
  #link: { url: string; label: string } | null = null

  add(piece: string) {
    this.#pieces.push(piece)
    this.#end = (this.#end + piece).slice(-2)
  }

  addText(data: string) {
    const plain = data.replace(/\s+/g, ' ')
    const text = this.#end === '' || /\s$/.test(this.#end) ? plain.trimStart() : plain
    if (text === '') return
    this.add(text)
    if (this.#link && this.#link.label.length < 1_000) this.#link.label += text
  }

  /** A paragraph has an empty line before and after it. */
  startLine(name: string) {
    if (this.#end === '' || this.#end === '\n\n') return
    if (!this.#end.endsWith('\n') || name === 'br') this.add('\n')
    if (name === 'p' && this.#end !== '\n\n') this.add('\n')
  }

  openLink(url: string) {
    this.#link = { url, label: '' }
  }

  closeLink() {
    const { url = '', label = '' } = this.#link ?? {}
    if (/^https?:/.test(url) && label.trim() !== url) this.add(` (${url})`)
    this.#link = null
  }

  end = () => this.#pieces.join('').replaceAll(' \n', '\n').trim()
}
