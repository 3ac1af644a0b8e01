// Owns the progress file of a migration: a resumed run continues from it. Every write to the target
// has the same effect when it is repeated, so an outdated file costs time only. It has no secrets.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { CliError, UsageError } from '../failure.ts'

export interface Journal {
  get(key: string): string | undefined
  set(key: string, value: string): void
  remove(keys: string[]): void
  entries(): [key: string, value: string][]
}

/** The two ends of a migration: a file of another one is rejected. */
type Ends = Record<'from' | 'workspace' | 'to' | 'toWorkspace', string>

export function openJournal(file: string, ends: Ends): Journal {
  const entries = new Map(existsSync(file) ? read(file, ends) : [])
  const write = () => {
    const draft = `${file}.draft`
    const text = JSON.stringify({ kind, ...ends, entries: [...entries] })
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true })
    renameSync(draft, file)
  }
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      if (entries.get(key) === value) return
      entries.set(key, value)
      write()
    },
    remove(keys) {
      for (const key of keys) entries.delete(key)
      if (keys.length > 0) write()
    },
    entries: () => [...entries],
  }
}

const kind = 'botstead-migration'

function read(file: string, ends: Ends): [string, string][] {
  const found = parse(file)
  if (found?.kind !== kind || !Array.isArray(found.entries))
    throw new UsageError(
      `${file} is not the progress of a migration: pass another --state`,
    )
  const other = (Object.keys(ends) as (keyof Ends)[]).find(
    (name) => found[name] !== ends[name],
  )
  if (other)
    throw new UsageError(
      `${file} is the progress of another migration (\`${other}\` differs): pass another --state`,
    )
  return found.entries as [string, string][]
}

function parse(file: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null
  } catch (error) {
    throw new CliError(`cannot read ${file} (${(error as Error).message})`)
  }
}
