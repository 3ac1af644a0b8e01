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
  'address article aside body center dd details div dt fieldset figcaption figure footer header hr li main p section summary td th tr caption h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
)

export function htmlBlocks(html: string): Block[] {
  const found: Block[] = []
  const depth = depthGuard()
  let text = ''
  let muted = 0
  let title: string | null = null
  let inTitle = false
  let heading = 0
  const open: BlockKind[] = []
  let rows = 0
  let header = ''

  const emit = () => {
    const kind = open.at(-1) ?? 'paragraph'
    const content =
      kind === 'code'
        ? text.replace(/^\n+|\s+$/g, '')
        : kind === 'paragraph' || kind === 'blockquote'
          ? oneLine(text)
          : linesOf(text)
    text = ''
    if (content === '') return
    if (heading > 0) found.push({ kind: 'heading', level: heading, text: oneLine(content) })
    else found.push({ kind, text: content, ...(kind === 'table' && header !== '' && { header }) })
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth.opened()
        if (name === 'title' && title === null) inTitle = true
        if (silent.has(name)) muted += 1
        if (muted > 0) return
        const kind = kinds[name]
        if (kind) {
          // A nested list is part of the outer one.
          if (open.at(-1) !== kind || kind !== 'list') emit()
          open.push(kind)
          if (kind === 'table') {
            rows = 0
            header = ''
          }
        } else if (/^h[1-6]$/.test(name) && open.length === 0) {
          emit()
          heading = Number(name[1])
        } else if (name === 'br') text += '\n'
        else if (name === 'li' || name === 'dt') text += `\n${'  '.repeat(Math.max(0, open.length - 1))}- `
        else if (name === 'tr') text += '\n'
        else if (name === 'td' || name === 'th') text += text === '' || text.endsWith('\n') ? '' : ' | '
        else if (blocks.has(name) && open.length === 0) emit()
        else if (blocks.has(name)) text += ' '
        if (name === 'img' && attributes.alt) text += ` ${attributes.alt} `
      },
      ontext(data) {
        if (inTitle) title = (title ?? '') + data
        else if (muted === 0) text += open.at(-1) === 'code' ? data : data.replaceAll(/\s+/g, ' ')
      },
      onclosetag(name) {
        depth.closed()
        if (name === 'title') inTitle = false
        if (silent.has(name)) muted = Math.max(0, muted - 1)
        if (muted > 0) return
        if (name === 'tr' && open.at(-1) === 'table') {
          rows += 1
          if (rows === 1) {
            header = linesOf(text)
            text = ''
          }
        }
        if (kinds[name] && open.length > 0) {
          if (open.at(-1) !== 'list' || open.at(-2) !== 'list') emitTable()
          open.pop()
        } else if (/^h[1-6]$/.test(name) && heading > 0) {
          emit()
          heading = 0
        } else if (blocks.has(name) && open.length === 0) emit()
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  /** Treats the only row of a table as content, not as a header. */
  function emitTable() {
    if (open.at(-1) === 'table' && text.trim() === '' && rows === 1) {
      text = header
      header = ''
    }
    emit()
    header = ''
  }
  parser.write(html)
  parser.end()
  emit()
  const named = oneLine(title ?? '')
  return named === '' ? found : [{ kind: 'heading', level: 0, text: named }, ...found]
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trimEnd())
    .map((line) => line.replace(/^ (?! *-)/, ''))
    .filter((line) => line.trim() !== '' && line.trim() !== '-')
    .join('\n')
