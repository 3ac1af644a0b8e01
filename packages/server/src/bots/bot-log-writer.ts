// Lines of hosted bots on their way to the table: gathered for a moment, written together, and dropped rather than piled up
// when the database does not keep up.
import type { Logger } from 'pino'
import type { Db } from '../db/open.ts'
import { appendBotLogs, type BotLogLine } from './bot-logs.ts'

const gatherMs = 200
/** Lines of one bot that may wait. */
const mostWaiting = 2_000

export interface BotLogWriter {
  write(botId: string, line: { level: BotLogLine['level']; message: string; at: Date; options?: Record<string, unknown> }): void
  close(): Promise<void>
}

export function botLogWriter(db: Db, log: Logger): BotLogWriter {
  const waiting = new Map<string, BotLogLine[]>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<unknown> = Promise.resolve()

  const flush = () => {
    timer = null
    const batches = [...waiting]
    waiting.clear()
    writing = writing
      .then(() => Promise.all(batches.map(([botId, lines]) => appendBotLogs(db, botId, lines))))
      .catch((error) => log.warn({ err: error }, 'lines of bots were lost'))
    return writing
  }
  return {
    write(botId, { options = {}, ...line }) {
      const lines = waiting.get(botId) ?? []
      if (lines.length >= mostWaiting) return
      lines.push({ ...line, ...linksOf(options) })
      waiting.set(botId, lines)
      timer ??= setTimeout(flush, gatherMs)
    },
    async close() {
      if (timer) clearTimeout(timer)
      await flush()
    },
  }
}

/** What the SDK's logger says about where a line was written. */
function linksOf(options: Record<string, unknown>) {
  const links: Partial<Record<'conversationId' | 'userId' | 'workflowId' | 'eventId', string>> = {}
  for (const name of ['conversationId', 'userId', 'workflowId', 'eventId'] as const) {
    const value = options[name]
    if (typeof value === 'string') links[name] = value
  }
  return links
}
