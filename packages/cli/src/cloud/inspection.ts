// The dry run: counts the content of a bot, and writes nothing.
import { fileObstacle, filePages, noteComputed } from './content.ts'
import { isPathPart } from './ends.ts'
import type { Migration, SourceBot } from './migration.ts'

export async function inspectBot(migration: Migration, bot: SourceBot): Promise<void> {
  const { source, pages, findings, show } = migration
  const read = source.as(bot.id)
  const { versions } = await source.client.admin.listBotVersions({ params: { id: bot.id } })
  findings.add('bots', 1)
  findings.add('versions', versions.length)
  await inspectTables(migration, bot)
  await inspectFiles(migration, bot)
  const bases = pages(async (query) => {
    const { knowledgeBases, meta } = await read.files.listKnowledgeBases({ query })
    return { items: knowledgeBases, ...meta }
  })
  for await (const { items } of bases) findings.add('knowledge bases', items.length)
  const users = pages(async (query) => {
    const found = await read.runtime.listUsers({ query })
    return { items: found.users, ...found.meta }
  })
  for await (const { items } of users)
    findings.add('users', items.filter(({ id }) => id !== bot.id).length)
  const conversations = pages(async (query) => {
    const found = await read.runtime.listConversations({ query })
    return { items: found.conversations, ...found.meta }
  })
  for await (const { items } of conversations) {
    findings.add('conversations', items.length)
    findings.add(
      'messages',
      items.reduce((sum, one) => sum + (Number(one.messageCount) || 0), 0),
    )
    show(`${bot.name}: ${findings.counts().conversations} conversations`)
  }
}

async function inspectTables({ source, findings }: Migration, bot: SourceBot): Promise<void> {
  const { tables } = source.as(bot.id)
  for (const table of (await tables.listTables({})).tables) {
    findings.add('tables', 1)
    if (!isPathPart(table.id)) continue
    findings.add('rows', (await tables.getTable({ params: { table: table.id } })).rows)
    noteComputed({ findings, bot }, table)
  }
}

async function inspectFiles(migration: Migration, bot: SourceBot): Promise<void> {
  const { source, findings } = migration
  for await (const { items } of filePages(migration, source.as(bot.id)))
    for (const file of items) {
      const obstacle = fileObstacle(file)
      if (obstacle) findings.note(bot.name, 'files', obstacle, 1, file.key)
      else findings.add('files', 1)
    }
}
