// Blocks of a document, read from Markdown.
import MarkdownIt from 'markdown-it'

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: string[] }
  | { kind: 'table'; rows: string[][] }

const parser = new MarkdownIt()

type Token = ReturnType<typeof parser.parse>[number]

export function toBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const token of parser.parse(markdown, {})) {
    const last = blocks.at(-1)
    const begun = beginBlock(token)
    if (token.type === 'inline') addText(last!, toText(token))
    else if (token.type === 'list_item_open' && last?.kind === 'list') last.items.push('')
    else if (token.type === 'tr_open' && last?.kind === 'table') last.rows.push([])
    // Paragraphs in lists are hidden.
    else if (begun && !token.hidden) blocks.push(begun)
  }
  return blocks
}

function beginBlock({ type, tag }: Token): Block | null {
  if (type === 'heading_open') return { kind: 'heading', level: Number(tag[1]), text: '' }
  if (type === 'paragraph_open') return { kind: 'paragraph', text: '' }
  if (type === 'table_open') return { kind: 'table', rows: [] }
  if (!/^(bullet|ordered)_list_open$/.test(type)) return null
  return { kind: 'list', isOrdered: type.startsWith('ordered'), items: [] }
}

function addText(block: Block, text: string) {
  if (block.kind === 'table') block.rows.at(-1)!.push(text)
  else if (block.kind === 'list') block.items[block.items.length - 1] += text
  else block.text += text
}

const toText = ({ children }: Token) =>
  (children ?? [])
    .map(({ type, content }) => (/break$/.test(type) ? ' ' : content))
    .join('')

export const toHtml = (markdown: string) => parser.render(markdown)

/** For XML and HTML. */
export const escapeText = (text: string) => parser.utils.escapeHtml(text)
