// Counts as things happen, in memory, and adds what came together to the rows: no call waits for it, and a process that is killed forgets the last second.
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'
import type { Counted } from './counts.ts'
import { addCounts } from './counts.ts'

export interface UsageCounter {
  count(type: Counted['type'], botId: string, value?: number): void
  close(): Promise<void>
}

const paceMs = 1_000

export function openUsageCounter(database: Database, log: Logger): UsageCounter {
  let waiting = new Map<string, Counted>()
  let writing = Promise.resolve()
  const write = async () => {
    const counted = [...waiting.values()]
    if (counted.length === 0) return
    waiting = new Map()
    try {
      await addCounts(database, counted)
    } catch (error) {
      log.warn({ err: error }, 'usage could not be written; trying again')
      for (const { type, botId, value } of counted) count(type, botId, value)
    }
  }
  const count: UsageCounter['count'] = (type, botId, value = 1) => {
    const key = `${type} ${botId}`
    const one = waiting.get(key)
    if (one) one.value += value
    else waiting.set(key, { type, botId, value })
  }
  const timer = setInterval(() => (writing = writing.then(write)), paceMs).unref()
  return {
    count,
    close() {
      clearInterval(timer)
      return writing.then(write)
    },
  }
}
