// Up to which message this browser has shown each conversation. It stays in the browser: the list marks
// what came since, also for members who only read.
import { useEffect, useMemo, useSyncExternalStore } from 'react'

interface Seen {
  /** When this browser showed the first list or conversation: what came before is not marked. */
  since: string
  /** Times of the last messages, by conversation. */
  until: Record<string, string>
}

const maxConversations = 500
const toKey = (botId: string) => `botstead:seen:${botId}`
const changed = new Set<() => void>()

// Without storage, nothing is marked after a reload.
const read = (botId: string): string => {
  try {
    return localStorage.getItem(toKey(botId)) ?? ''
  } catch {
    return ''
  }
}

function write(botId: string, seen: Seen) {
  try {
    localStorage.setItem(toKey(botId), JSON.stringify(seen))
  } catch {
    // The browser blocks storage, or it is full.
  }
  for (const notify of changed) notify()
}

function parse(stored: string): Seen | null {
  try {
    const { since, until } = JSON.parse(stored)
    if (typeof since !== 'string') return null
    return { since, until: Object.assign(Object.create(null), until) }
  } catch {
    return null
  }
}

function open(botId: string): Seen {
  const known = parse(read(botId))
  if (known) return known
  const seen = { since: new Date().toISOString(), until: {} }
  write(botId, seen)
  return seen
}

/** Notes that the messages up to this time were visible. */
export function noteSeen(botId: string, conversationId: string, at: string) {
  const { since, until } = open(botId)
  const before = until[conversationId] ?? ''
  if (at <= before) return
  const others = Object.entries(until)
    .filter(([id]) => id !== conversationId)
    .sort(([, one], [, other]) => (one < other ? 1 : -1))
    .slice(0, maxConversations - 1)
  write(botId, { since, until: Object.fromEntries([[conversationId, at], ...others]) })
}

function subscribe(notify: () => void) {
  changed.add(notify)
  addEventListener('storage', notify)
  return () => {
    changed.delete(notify)
    removeEventListener('storage', notify)
  }
}

/** Returns whether a message of this time was not visible in this browser. */
export function useUnseen(
  botId: string,
): (conversationId: string, at: string) => boolean {
  const stored = useSyncExternalStore(subscribe, () => read(botId))
  useEffect(() => void open(botId), [botId])
  return useMemo(() => {
    const seen = parse(stored)
    return (conversationId, at) =>
      seen !== null && at > (seen.until[conversationId] ?? seen.since)
  }, [stored])
}
