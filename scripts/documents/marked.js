// Replaces the generated parts of Markdown pages, between `<!-- generated: name -->` and
// `<!-- /generated -->`.
import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

export const readSource = (path) => readFileSync(new URL(path, root), 'utf8')

/** Returns the page with new text in its generated parts. Throws if the page lacks a part. */
export function withParts(path, parts) {
  let text = readSource(path)
  for (const [name, part] of Object.entries(parts)) {
    const between = new RegExp(
      `(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`,
    )
    if (!between.test(text))
      throw new Error(`${path} has no part "<!-- generated: ${name} -->"`)
    text = text.replace(between, (_, start, end) => `${start}\n${part}\n\n${end}`)
  }
  return { path, text }
}

/** Returns a Markdown table. Cells must not contain line breaks. */
export function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
