// Distributes log lines of hosted integrations: to the integration's authors, unless the line hides
// itself from them, and to the owners of the bot that the call was for, if the line allows it.

import { createBatchedWrites } from '@botstead/lib'
import type { Logger } from 'pino'
import { appendBotLogs, type BotLogLine, type LogDeps } from '../../bots/index.ts'
import { appendIntegrationLogs, findServedBots } from './integration-logs.ts'

interface WrittenLine {
  level: BotLogLine['level']
  message: string
  at: Date
  options?: Record<string, unknown>
  /** The bot that the call was for, as reported by the process. */
  origin?: string
}

interface IntegrationLogWriter {
  write(from: { integrationId: string; workspaceId: string }, line: WrittenLine): void
  close(): Promise<void>
}

export function createIntegrationLogWriter(
  deps: LogDeps,
  log: Logger,
): IntegrationLogWriter {
  const lines = createBatchedWrites<WrittenLine>(
    async (key, gathered) => {
      const [integrationId, workspaceId] = JSON.parse(key) as [string, string]
      await distribute(deps, integrationId, workspaceId, gathered)
    },
    (error) => log.warn({ err: error }, 'log lines of integrations could not be stored'),
  )
  return {
    write: ({ integrationId, workspaceId }, line) =>
      lines.add(JSON.stringify([integrationId, workspaceId]), line),
    close: () => lines.close(),
  }
}

async function distribute(
  deps: LogDeps,
  integrationId: string,
  workspaceId: string,
  lines: WrittenLine[],
): Promise<void> {
  const named = [...new Set(lines.flatMap((line) => getBotId(line) ?? []))]
  const served = await findServedBots(deps.db, integrationId, workspaceId, named)
  const placed = lines.map((line) => ({
    ...line,
    botId: served.has(getBotId(line) ?? '') ? getBotId(line) : undefined,
  }))
  const kept = placed.filter(({ options }) => options?.hiddenToIntegrationOwners !== true)
  await appendIntegrationLogs(
    deps,
    integrationId,
    kept.map(({ at, level, message, options = {}, botId }) => ({
      at,
      level,
      message,
      ...(botId && { botId }),
      ...readLinks(options),
    })),
  )
  for (const botId of served) {
    const own = placed.filter(
      (line) => line.botId === botId && line.options?.visibleToBotOwners === true,
    )
    await appendBotLogs(
      deps,
      botId,
      own.map(({ at, level, message, options = {} }) => ({
        at,
        level,
        message,
        ...readLinks(options),
      })),
    )
  }
}

const getBotId = ({ origin, options }: WrittenLine): string | undefined =>
  origin ?? toText(options?.botId)
const toText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns the context that the SDK's logger adds to a line. */
function readLinks(options: Record<string, unknown>) {
  const [conversationId, userId] = [
    toText(options.conversationId),
    toText(options.userId),
  ]
  return { ...(conversationId && { conversationId }), ...(userId && { userId }) }
}
