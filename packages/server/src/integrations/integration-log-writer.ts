// Lines of hosted integrations on their way to those whom they concern: the makers of the integration, unless hidden from them, and the owners of
// the bot that it was working for, when it says so.
import type { Logger } from 'pino'
import { appendBotLogs, type BotLogLine } from '../bots/bot-logs.ts'
import type { Db } from '../db/open.ts'
import { gather } from '../lib/gathered.ts'
import { appendIntegrationLogs, findServedBots } from './integration-logs.ts'

export interface WrittenLine {
  level: BotLogLine['level']
  message: string
  at: Date
  options?: Record<string, unknown>
  /** The bot that it was called for, as the process says. */
  origin?: string
}

export interface IntegrationLogWriter {
  write(from: { integrationId: string; workspaceId: string }, line: WrittenLine): void
  close(): Promise<void>
}

export function integrationLogWriter(db: Db, log: Logger): IntegrationLogWriter {
  const lines = gather<WrittenLine>(
    async (key, gathered) => {
      const [integrationId, workspaceId] = JSON.parse(key) as [string, string]
      await handOut(db, integrationId, workspaceId, gathered)
    },
    (error) => log.warn({ err: error }, 'lines of integrations were lost'),
  )
  return {
    write: ({ integrationId, workspaceId }, line) =>
      lines.add(JSON.stringify([integrationId, workspaceId]), line),
    close: () => lines.close(),
  }
}

async function handOut(
  db: Db,
  integrationId: string,
  workspaceId: string,
  lines: WrittenLine[],
): Promise<void> {
  const named = [...new Set(lines.flatMap((line) => botOf(line) ?? []))]
  const served = await findServedBots(db, integrationId, workspaceId, named)
  const placed = lines.map((line) => ({
    ...line,
    botId: served.has(botOf(line) ?? '') ? botOf(line) : undefined,
  }))
  const kept = placed.filter(({ options }) => options?.hiddenToIntegrationOwners !== true)
  await appendIntegrationLogs(
    db,
    integrationId,
    kept.map(({ at, level, message, options = {}, botId }) => ({
      at,
      level,
      message,
      ...(botId && { botId }),
      ...linksOf(options),
    })),
  )
  for (const botId of served) {
    const own = placed.filter((line) => line.botId === botId && line.options?.visibleToBotOwners === true)
    await appendBotLogs(
      db,
      botId,
      own.map(({ at, level, message, options = {} }) => ({ at, level, message, ...linksOf(options) })),
    )
  }
}

const botOf = ({ origin, options }: WrittenLine): string | undefined => origin ?? textOf(options?.botId)
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** What the SDK's logger says about where a line was written. */
function linksOf(options: Record<string, unknown>) {
  const [conversationId, userId] = [textOf(options.conversationId), textOf(options.userId)]
  return { ...(conversationId && { conversationId }), ...(userId && { userId }) }
}
