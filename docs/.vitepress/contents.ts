// Reads the contents of docs/README.md: groups of pages, each with the subject of the page. The site's
// navigation and llms.txt come from them.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { toUrl } from './links.ts'

export interface Page {
  title: string
  subject: string
  /** Relative to the repository */
  source: string
}

export interface PageGroup {
  title: string
  pages: Page[]
  groups: PageGroup[]
}

const heading = /^(##|###) (.+)$/
const row = /^\| \[([^\]]+)\]\(([^)]+)\) \| (.*) \|$/

export function readContents(): PageGroup[] {
  const lines = readFileSync(new URL('../README.md', import.meta.url), 'utf8').split('\n')
  const groups: PageGroup[] = []
  for (const line of lines) {
    const [, level, title] = heading.exec(line) ?? []
    const parent = level === '##' ? groups : groups.at(-1)?.groups
    if (title) parent?.push({ title, pages: [], groups: [] })
    const [, name, path, subject] = row.exec(line) ?? []
    const group = groups.at(-1)?.groups.at(-1) ?? groups.at(-1)
    if (path)
      group?.pages.push({
        title: name!,
        subject: subject!,
        source: posix.join('docs', path),
      })
  }
  return groups
}

/** Returns the groups as a sidebar. */
export const toSidebar = (groups: PageGroup[], collapsed?: boolean): object[] =>
  groups.map(({ title, pages, groups }) => ({
    text: title,
    ...(collapsed !== undefined && { collapsed }),
    items: [
      ...pages.map(({ title, source }) => ({ text: title, link: toUrl(source)! })),
      ...toSidebar(groups, false),
    ],
  }))
