// Writes a page for each example bot, and one that lists them.
import { existsSync, readdirSync } from 'node:fs'
import { readSource, table } from './marked.js'

const folder = new URL('../../examples/', import.meta.url)

/** Returns the pages: `page`, `title` and Markdown. */
export function examplePages() {
  const names = readdirSync(folder).filter((name) =>
    existsSync(new URL(`${name}/bot.json`, folder)),
  )
  const pages = names.sort().map(toPage)
  const rows = pages.map(({ page, title, subject }) => [
    `[${title}](/examples/${page})`,
    subject,
  ])
  const text = `# Example bots\n\n${table(['Bot', 'Subject'], rows)}\n`
  return [...pages, { page: 'index', title: 'Example bots', text }]
}

function toPage(name) {
  const file = `examples/${name}/example.json`
  const described = existsSync(new URL(`../../${file}`, import.meta.url))
  const { title = name, description = '' } = described ? JSON.parse(readSource(file)) : {}
  const text = [
    `# ${title}`,
    `${description} The folder of the repository is \`examples/${name}\`.`,
    `\`\`\`json\n${readSource(`examples/${name}/bot.json`).trim()}\n\`\`\``,
  ]
  return { page: name, title, subject: description, text: text.join('\n\n') }
}
