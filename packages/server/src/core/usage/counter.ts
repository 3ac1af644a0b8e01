// Counts usage in memory and adds it to the database in batches. Requests do not wait for that; a
// killed process loses the last second.

import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Database } from '../db/index.ts'
import { addCounts, type UsageCount } from './counts.ts'

export interface UsageCounter {
  count(type: UsageCount['type'], botId: string, value?: number): void
  close(): Promise<void>
}

export function openUsageCounter(database: Database, log: Logger): UsageCounter {
  let waiting = new Map<string, UsageCount>()
  const count: UsageCounter['count'] = (type, botId, value = 1) => {
    const key = `${type} ${botId}`
    const one = waiting.get(key)
    if (one) one.value += value
    else waiting.set(key, { type, botId, value })
  }
  const write = async () => {
    const counted = [...waiting.values()]
    if (counted.length === 0) return
    waiting = new Map()
    await addCounts(database, counted).catch((error) => {
      for (const { type, botId, value } of counted) count(type, botId, value)
      throw error
    })
  }
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'cannot save usage counts; retrying')
  const writing = new PeriodicTask({ task: write, paceMs: 1_000, failed })
  return {
    count,
    async close() {
      await writing.stop()
      await write().catch(failed)
    },
  }
}
