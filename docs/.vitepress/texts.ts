// Writes the documentation as text for programs that read: each page as Markdown beside its HTML,
// `llms.txt` with the list of pages, `llms-full.txt` with all of them.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { apiPages } from '../../scripts/documents/api/pages.js'
import type { Page, PageGroup } from './contents.ts'
import { resolveLink, toUrl } from './links.ts'

const root = new URL('../../', import.meta.url)

export async function writeTexts(outDir: string, groups: PageGroup[]): Promise<void> {
  const pages = groups.flatMap(listPages).filter(({ source }) => source.endsWith('.md'))
  const texts = await Promise.all(
    pages.map(async (page) => ({
      ...page,
      text: await readPage(page),
      file: toFile(page),
    })),
  )
  const reference = apiPages().map(({ page, text }) => {
    const file = `api/${page}.md`
    return { file, text: withTextLinks(text, `docs/${file}`) }
  })
  for (const { file, text } of [...texts, ...reference]) {
    await mkdir(dirname(join(outDir, file)), { recursive: true })
    await writeFile(join(outDir, file), text)
  }
  await copyFile(new URL('LICENSE', root), join(outDir, 'license.txt'))
  await writeFile(join(outDir, 'llms.txt'), toList(groups))
  await writeFile(join(outDir, 'llms-full.txt'), texts.map(({ text }) => text).join('\n'))
}

const listPages = ({ pages, groups }: PageGroup): Page[] => [
  ...pages,
  ...groups.flatMap(listPages),
]
const toFile = ({ source }: Page) => `${toUrl(source)!.slice(1)}.md`

const readPage = async ({ source }: Page) =>
  withTextLinks(await readFile(new URL(source, root), 'utf8'), source)

/** Returns a page with links to Markdown instead of HTML. */
function withTextLinks(text: string, source: string) {
  return text.replace(/(\]\()([^)\s]+)(\))/g, (link, open, href, close) => {
    const target = resolveLink(href, source)
    return target
      ? `${open}${target.inside ? textUrl(target.url) : target.url}${close}`
      : link
  })
}

/** `/flows#cards` is `/docs/flows.md#cards`. */
const textUrl = (url: string) =>
  `/docs${url.replace(/\/(?=#|$)/, '/index').replace(/(?=#|$)/, '.md')}`

function toList(groups: PageGroup[]) {
  return [
    '# Botstead',
    '> An open-source, self-hosted bot platform that speaks the HTTP API of Botpress Cloud.',
    'All pages in one file: [llms-full.txt](/llms-full.txt). OpenAPI documents: `/v1/openapi/<name>.json`,' +
      ' with `?version=3.0` in OpenAPI 3.0.',
    ...groups.map(toSection),
  ].join('\n\n')
}

function toSection(group: PageGroup): string {
  const lines = listPages(group).map(
    ({ title, subject, source }) =>
      `- [${title}](${textUrl(toUrl(source)!)}): ${subject}`,
  )
  return [`## ${group.title}`, `${lines.join('\n')}\n`].join('\n\n')
}
