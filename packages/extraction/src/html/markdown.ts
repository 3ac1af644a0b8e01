// Markdown by the rules of CommonMark, with tables and strikethrough of GitHub: becomes HTML. The
// reader of HTML knows headings, lists, tables, code and embedded HTML.
import MarkdownIt from 'markdown-it'
import type { Block } from '../blocks.ts'
import { htmlBlocks } from './html.ts'

const markdown = new MarkdownIt({ html: true })
const { escapeHtml } = markdown.utils

export function markdownBlocks(text: string): Block[] {
  const { title, body } = withoutFrontMatter(text)
  const closed = new Set(
    [...body.matchAll(/<\/([a-z][\w-]*)\s*>/gi)].map(([, name]) => name!),
  )
  const tokens = markdown.parse(body, {})
  for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])]))
    if (token.type === 'html_block' || token.type === 'html_inline')
      token.content = withComponents(withPlaceholders(token.content, closed))
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return htmlBlocks(title === '' ? html : `<title>${escapeHtml(title)}</title>${html}`)
}

/** Elements that need no end tag. */
const unclosedNames = `area base body br col dd dt embed head hr html img input li link meta option
  p rp rt source t[dhr] tbody tfoot thead track wbr`
const unclosed = new RegExp(`^(?:${unclosedNames.split(/\s+/).join('|')})$`, 'i')

/** Keeps a name such as `<token>` in a sentence: no element begins there. */
const withPlaceholders = (html: string, closed: Set<string>) =>
  html.replaceAll(/<([a-z][\w-]*)>/gi, (tag, name: string) =>
    closed.has(name) || unclosed.test(name) ? tag : escapeHtml(tag),
  )

/** Adds the titles of MDX components, such as `<Card title="Prices">`, to their text. */
const withComponents = (html: string) =>
  html.replaceAll(
    /<[A-Z][\w.]*\s(?:[^<>]{0,500}\s)?(?:title|label)="([^"<>]{1,300})"[^<>]{0,500}>/g,
    '$& $1 ',
  )

/** Metadata of static site generators at the beginning: YAML, or TOML between plus signs. */
function withoutFrontMatter(text: string): { title: string; body: string } {
  const found =
    /^(---|\+\+\+)[ \t]*\r?\n(?=\s*(?:#|[\w-]+\s*[:=]|\1))([\s\S]{0,20000}?)^\1[ \t]*(?:\r?\n|$)/m.exec(
      text,
    )
  if (!found || found.index > 0) return { title: '', body: text }
  const title =
    /^title\s*[:=][ \t]*(["']?)(.{1,300}?)\1[ \t]*\r?$/im.exec(found[2]!)?.[2] ?? ''
  return { title, body: text.slice(found[0].length) }
}
