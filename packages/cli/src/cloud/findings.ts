// Collects counts of a migration, and everything that it does not move, with reasons.
import { toPrintable } from '../terminal/printable.ts'
import type { Journal } from './journal.ts'

export interface NotMoved {
  bot?: string
  what: string
  count: number
  reason: string
  /** Id or name of the first one. */
  example?: string
}

export type Findings = ReturnType<typeof openFindings>

/** The other server decides how many reasons there are. */
const maxReasons = 1_000
const rejections = 'rejected '
/** A complete run is followed by one that tries these again. */
const retried = ['users', 'conversations', 'messages', 'states', 'files']

export function openFindings(journal: Journal, isDryRun: boolean) {
  const counts = new Map<string, number>()
  const limits = new Map<string, NotMoved>()
  const warnings = new Set<string>()
  const rejected = () => journal.entries().filter(([key]) => key.startsWith(rejections))
  /** Something that no migration moves. */
  const note = (...input: Parameters<typeof toNotMoved>) => {
    const [key, found] = toNotMoved(...input)
    const known = limits.get(key)
    if (known) known.count += found.count
    else if (found.count > 0 && limits.size < maxReasons) limits.set(key, found)
  }
  return {
    add: (what: string, count: number) =>
      counts.set(what, (counts.get(what) ?? 0) + count),
    note,
    /** Something about an integration that the bots use in the target. */
    warn: (text: string) => warnings.size < maxReasons && warnings.add(toLine(text, 300)),
    warnings: () => [...warnings],
    /**
     * Something that a server rejected: the command then ends with exit code 1. The journal keeps it,
     * because a resumed run does not see it again. What an interrupted run repeats counts again.
     * A dry run only notes it.
     */
    reject(bot: string, what: string, error: unknown, example: string, count = 1) {
      const reason = error instanceof Error ? error.message : String(error)
      if (isDryRun) return note(bot, what, reason, count, example)
      const [key, found] = toNotMoved(bot, what, reason, count, example)
      const known = journal.get(rejections + key)
      if (known) found.count += (JSON.parse(known) as NotMoved).count
      if (known || rejected().length < maxReasons)
        journal.set(rejections + key, JSON.stringify(found))
    },
    /** Forgets rejections that this run tries again. */
    begin() {
      if (journal.get('complete') === undefined) return
      const again = rejected().filter(([, value]) =>
        retried.includes(JSON.parse(value).what),
      )
      journal.remove(['complete', ...again.map(([key]) => key)])
    },
    complete: () => journal.set('complete', 'yes'),
    counts: () => Object.fromEntries(counts),
    limits: () => [...limits.values()],
    rejected: () => rejected().map(([, value]) => JSON.parse(value) as NotMoved),
  }
}

function toNotMoved(
  bot: string | undefined,
  what: string,
  text: string,
  count = 1,
  example?: string,
): [key: string, NotMoved] {
  const reason = toLine(text, 300)
  const found = {
    ...(bot !== undefined && { bot: toLine(bot, 100) }),
    what,
    count,
    reason,
    ...(example !== undefined && { example: toLine(example, 100) }),
  }
  return [JSON.stringify([bot, what, reason]), found]
}

const toLine = (text: string, length: number) =>
  toPrintable(text, 'line').slice(0, length)
