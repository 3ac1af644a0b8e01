// Shared parts of a migration.
import { createHash, randomUUID } from 'node:crypto'
import type { Client } from '@botstead/client'
import type { End, Pages } from './ends.ts'
import type { Findings } from './findings.ts'
import type { Journal } from './journal.ts'

export interface Migration {
  source: End
  target: End
  pages: Pages
  journal: Journal
  findings: Findings
  show: (text: string) => void
  from: string
  filesFrom: string[]
  maxFileBytes: number
}

export type SourceBot = Awaited<ReturnType<Client['admin']['getBot']>>['bot']

/** One bot of a migration. */
export interface BotSource extends Migration {
  bot: SourceBot
  read: Client
  /** Keys of the journal that belong to the bot. */
  key: (...parts: string[]) => string
}

export interface BotMove extends BotSource {
  targetId: string
  write: Client
}

/**
 * The same effect of one migration has the same key, so that a repetition after a crash creates
 * nothing twice.
 */
export function onceOnly({ journal }: Pick<Migration, 'journal'>, ...parts: string[]) {
  const id = journal.get('migration') ?? randomUUID()
  journal.set('migration', id)
  const key = createHash('sha256')
    .update(JSON.stringify([id, ...parts]))
    .digest('hex')
  return { headers: { 'idempotency-key': key } }
}

export const sourceTag = 'migratedFrom'

/** Runs work for all items, some at a time. */
export async function inParallel<Item>(
  items: Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const workers = Array.from({ length: 4 }, async () => {
    for (const item of left) await work(item)
  })
  const ends = await Promise.allSettled(workers)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** Returns the own properties of an object, or none: the source may send anything. */
export const toEntries = <Value>(value: Record<string, Value> | null | undefined) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : []
