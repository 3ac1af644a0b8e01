// Buffers log lines of hosted bots and writes them to the table.

import { createBatchedWrites } from '@botstead/lib'
import type { Logger } from 'pino'
import type { GetRedactors } from '../../compute/index.ts'
import type { Db } from '../../db/index.ts'
import { appendBotLogs, type BotLogLine } from './bot-logs.ts'

export interface BotLogWriter {
  write(
    botId: string,
    line: {
      level: BotLogLine['level']
      message: string
      at: Date
      options?: Record<string, unknown>
    },
  ): void
  close(): Promise<void>
}

/** `changed` is called after lines of the bot were stored. */
export function createBotLogWriter(
  db: Db,
  log: Logger,
  {
    getRedactors,
    changed,
  }: { getRedactors: GetRedactors; changed: (botId: string) => void },
): BotLogWriter {
  const lines = createBatchedWrites<BotLogLine>(
    async (botId, gathered) => {
      await appendBotLogs({ db, getRedactors }, botId, gathered)
      changed(botId)
    },
    (error) => log.warn({ err: error }, 'log lines of bots could not be stored'),
  )
  return {
    write: (botId, { options = {}, ...line }) =>
      lines.add(botId, {
        at: line.at,
        level: line.level,
        message: line.message,
        ...readLinks(options),
      }),
    close: () => lines.close(),
  }
}

/** Returns the context that the SDK's logger adds to a line. */
function readLinks(options: Record<string, unknown>) {
  const links: Partial<
    Record<'conversationId' | 'userId' | 'workflowId' | 'eventId', string>
  > = {}
  for (const name of ['conversationId', 'userId', 'workflowId', 'eventId'] as const) {
    const value = options[name]
    if (typeof value === 'string') links[name] = value
  }
  return links
}
