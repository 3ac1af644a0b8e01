// Edits that the server has not stored yet, kept in this browser: a closed tab loses nothing. Each opened
// page has an entry, because several tabs may change one draft.
import type { Edit } from './edits.ts'

interface KeptEdits {
  /** The revision on which the edits are based. */
  revision: number
  edits: Edit[]
}

type Entry = KeptEdits & { at: number }

/** The part of Web Storage that is used. */
export interface KeyStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  key(index: number): string | null
  readonly length: number
}

/** A page renews its entry at a third of this time. Older entries are those of a page that ended. */
export const leaseMs = 30_000

export interface KeptStore {
  keep(kept: KeptEdits): void
  clear(): void
  /** Allows the next page to take the entry at once. */
  release(): void
  /** Returns and removes the entries of pages that ended. */
  takeOrphans(): KeptEdits[]
}

export function keptEdits(
  storage: KeyStorage,
  botId: string,
  pageId: string,
  now: () => number = Date.now,
): KeptStore {
  const prefix = `botstead.draft.${botId}.`
  const own = prefix + pageId
  return {
    keep: (kept) => storage.setItem(own, JSON.stringify({ ...kept, at: now() })),
    clear: () => storage.removeItem(own),
    release() {
      const entry = read(storage, own)
      if (entry) storage.setItem(own, JSON.stringify({ ...entry, at: 0 }))
    },
    takeOrphans() {
      const keys = Array.from({ length: storage.length }, (_, index) =>
        storage.key(index),
      )
      return keys.flatMap((key) => {
        if (!key?.startsWith(prefix) || key === own) return []
        const entry = read(storage, key)
        if (!entry || now() - entry.at < leaseMs) return []
        storage.removeItem(key)
        return [{ revision: entry.revision, edits: entry.edits }]
      })
    },
  }
}

function read(storage: KeyStorage, key: string): Entry | null {
  try {
    const entry = JSON.parse(storage.getItem(key) ?? 'null')
    return Array.isArray(entry?.edits) && Number.isInteger(entry.revision) ? entry : null
  } catch {
    return null
  }
}
