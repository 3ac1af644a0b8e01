// `botstead logs`: prints the log lines of a bot, oldest first; with --follow also new ones.
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, itemsOf } from '@botstead/client'
import { type Admin, getBotId, openAdmin } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'
import { toPrintable } from '../terminal/printable.ts'
import { parseSince } from '../terminal/since.ts'
import { parseLimit } from '../terminal/whole-number.ts'

type Logs = Client['admin']['getBotLogs']
type Line = Awaited<ReturnType<Logs>>['logs'][number]
interface LogOptions extends Connecting {
  bot?: string
  follow?: boolean
  since: string
  level?: string
  grep?: string
  conversation?: string
  limit?: string
  json?: boolean
}

const pollMs = 1_000

export async function logs(
  botId: string | undefined,
  options: LogOptions,
): Promise<void> {
  const bot = getBotId(botId ?? options.bot, options)
  const admin = openAdmin(options)
  const filters = {
    level: options.level,
    messageContains: options.grep,
    conversationId: options.conversation,
  }
  const seen = new Set<string>()
  let from = parseSince('--since', options.since)
  let limit = parseLimit(options.limit)
  do {
    // To follow, it needs to know all lines of the newest moment.
    const readable = options.follow ? Number.POSITIVE_INFINITY : limit
    const lines = await read(admin, bot, { ...filters, timeStart: from }, readable)
    for (const [i, line] of lines.entries()) {
      const key = JSON.stringify(line)
      if (!seen.has(key) && lines.length - i <= limit) print(line, options)
      // The next request starts at the time of the last line, inclusive: more lines may have this
      // time.
      if (line.timestamp > from) {
        seen.clear()
        from = line.timestamp
      }
      seen.add(key)
    }
    limit = Number.POSITIVE_INFINITY
    if (options.follow) await pause(pollMs)
  } while (options.follow)
}

/** Returns the newest lines, oldest first. */
async function read(
  { client }: Admin,
  id: string,
  filters: Parameters<Logs>[0]['query'],
  limit: number,
): Promise<Line[]> {
  const lines: Line[] = []
  const newestFirst = itemsOf(async (page) => {
    const { logs, ...rest } = await client.admin.getBotLogs({
      params: { id },
      query: { ...filters, ...page },
    })
    return { items: logs, ...rest }
  })
  for await (const line of newestFirst) {
    lines.push(line)
    if (lines.length === limit) break
  }
  return lines.reverse()
}

function print(line: Line, { json }: LogOptions) {
  if (json) return console.log(JSON.stringify(line))
  console.log(
    `${line.timestamp.slice(0, 19).replace('T', ' ')}  ${line.level.padEnd(5)}  ` +
      `${toPrintable(line.message).replaceAll('\n', '\n    ')}`,
  )
}
