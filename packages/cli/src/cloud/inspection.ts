// The dry run: counts the content of a bot, lists what a migration would not move, and writes nothing.
import {
  checkName,
  contentUrl,
  fileObstacle,
  filePages,
  hasRows,
  knowledgeBasePages,
  noteComputed,
} from './content.ts'
import {
  findIntegrations,
  findTarget,
  isDeployed,
  readCurrent,
  readVersion,
} from './definition.ts'
import { isObstacle, isRejected } from './ends.ts'
import { conversationPages, eachState, hasValidId, userPages } from './history.ts'
import { type BotSource, inParallel } from './migration.ts'

export async function inspectBot(source: BotSource): Promise<void> {
  const { bot, findings } = source
  await findIntegrations(source, bot)
  const targetId = await findTarget(source)
  if (targetId === undefined) findings.add('bots', 1)
  if (targetId === undefined || !(await isDeployed(source, targetId)))
    await inspectCode(source)
  await inspectTables(source, targetId)
  await inspectFiles(source)
  for await (const { items } of knowledgeBasePages(source, source.read))
    findings.add('knowledge bases', items.length)
  await inspectHistory(source)
}

/** Reports the obstacle that the check of an object throws. Returns whether the object can move. */
async function canMove(
  { findings, bot }: BotSource,
  what: string,
  example: string,
  check: () => unknown,
): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    if (!isObstacle(error)) throw error
    findings.reject(bot.name, what, error, example)
    return false
  }
}

async function inspectCode(source: BotSource): Promise<void> {
  const { bot, findings, show } = source
  const { versions } = await source.source.client.admin.listBotVersions({
    params: { id: bot.id },
  })
  for (const { id, name } of versions) {
    show(`${bot.name}: version ${name}`)
    if (await canMove(source, 'versions', name, () => readVersion(source, id)))
      findings.add('versions', 1)
  }
  await canMove(source, 'code', bot.id, () => readCurrent(source))
}

async function inspectTables(
  source: BotSource,
  targetId: string | undefined,
): Promise<void> {
  const { tables } = source.read
  for (const table of (await tables.listTables({})).tables) {
    const check = async () => {
      checkName(table)
      const isBegun = source.journal.get(source.key('table', table.id)) !== undefined
      if (!isBegun && (await storedRows(source, targetId, table.name)) > 0)
        throw hasRows()
    }
    if (!(await canMove(source, 'tables', table.name, check))) continue
    source.findings.add('tables', 1)
    source.findings.add(
      'rows',
      (await tables.getTable({ params: { table: table.id } })).rows,
    )
    noteComputed(source, table)
  }
}

async function storedRows(
  { target }: BotSource,
  botId: string | undefined,
  table: string,
) {
  if (botId === undefined) return 0
  try {
    return (await target.as(botId).tables.getTable({ params: { table } })).rows
  } catch (error) {
    if (isRejected(error) && error.status === 404) return 0
    throw error
  }
}

async function inspectFiles(source: BotSource): Promise<void> {
  for await (const { items } of filePages(source, source.read))
    for (const file of items) {
      const obstacle = fileObstacle(file)
      if (obstacle) source.findings.note(source.bot.name, 'files', obstacle, 1, file.key)
      else if (await canMove(source, 'files', file.key, () => contentUrl(source, file)))
        source.findings.add('files', 1)
    }
}

async function inspectHistory(source: BotSource): Promise<void> {
  const { bot, findings, show } = source
  const addState = () => {
    findings.add('states', 1)
  }
  await eachState(source, 'bot', bot.id, addState)
  for await (const { items } of userPages(source)) {
    const users = items.filter(({ id }) => id !== bot.id)
    findings.add('users', users.length)
    await inParallel(users, ({ id }) => eachState(source, 'user', id, addState))
    show(`${bot.name}: ${findings.counts().users} users`)
  }
  for await (const { items } of conversationPages(source)) {
    const valid = items.filter((one) => hasValidId(source, one))
    findings.add('conversations', valid.length)
    for (const { messageCount } of valid)
      findings.add('messages', Number(messageCount) || 0)
    await inParallel(valid, ({ id }) => eachState(source, 'conversation', id, addState))
    show(`${bot.name}: ${findings.counts().conversations} conversations`)
  }
}
