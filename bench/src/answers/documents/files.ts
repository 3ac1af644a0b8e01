// Builds the files of a company from their sources.
import type { Company } from '../companies.ts'
import { escapeText, toBlocks, toHtml } from './blocks.ts'
import { toDocx, toXlsx } from './office-files.ts'
import { toPdf } from './pdf-file.ts'

interface BuiltFile {
  name: string
  content: Uint8Array
  contentType: string
}

type Build = (source: string, company: Company) => Uint8Array | string

const office = 'application/vnd.openxmlformats-officedocument'
const formats: Record<string, [contentType: string, build: Build]> = {
  docx: [`${office}.wordprocessingml.document`, (source) => toDocx(toBlocks(source))],
  xlsx: [`${office}.spreadsheetml.sheet`, (source) => toXlsx(toBlocks(source))],
  pdf: ['application/pdf', (source, { name }) => toPdf(toBlocks(source), name)],
  html: ['text/html', toPage],
  csv: ['text/csv', (source) => source],
  txt: ['text/plain', (source) => source],
  md: ['text/markdown', (source) => source],
}

export function buildFiles(company: Company): BuiltFile[] {
  return Object.entries(company.documents).map(([name, source]) => {
    const [contentType, build] = formats[name.slice(name.lastIndexOf('.') + 1)]!
    return { name, contentType, content: Buffer.from(build(source, company)) }
  })
}

/** A page of a website, with the navigation and footer that all pages have. */
function toPage(source: string, { name, language, navigation, footer }: Company): string {
  const title = /^# (.+)$/m.exec(source)?.[1] ?? name
  const items = navigation
    .map((item) => `<li><a href="#">${escapeText(item)}</a></li>`)
    .join('')
  return `<!doctype html>
<html lang="${language.slice(0, 2)}">
<head><meta charset="utf-8"><title>${escapeText(title)} | ${escapeText(name)}</title>
<style>body { font-family: sans-serif }</style><script>window.dataLayer = []</script></head>
<body>
<header><a href="/">${escapeText(name)}</a><nav><ul>${items}</ul></nav></header>
<main>${toHtml(source)}</main>
<footer><p>${escapeText(footer)}</p></footer>
</body>
</html>`
}
