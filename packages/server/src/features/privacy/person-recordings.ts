// Recordings of model calls (models/recordings.ts) that belong to a person. They are files, so their
// names are collected first; the database then decides about their events.
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { isOfEvent, type Person } from '../../core/table-rules/index.ts'
import type { Recordings } from '../models/index.ts'

/** Null unless this server records. A folder for replays has test data, which stays. */
export type RecordedCalls = Pick<
  Recordings,
  'mode' | 'ofBot' | 'before' | 'read' | 'remove'
> | null

export async function findRecordings(
  db: Db,
  recordings: RecordedCalls,
  person: Person,
): Promise<string[]> {
  if (recordings?.mode !== 'record') return []
  const { userId, shownId, conversations } = person
  const found: string[] = []
  const byEvent = new Map<string, string[]>()
  for await (const { name, caller, text } of recordings.ofBot(person.botId)) {
    const { eventId, conversationId } = caller
    const isInOwn = conversationId !== null && conversations.includes(conversationId)
    if (isInOwn || caller.userId === shownId || text.includes(userId)) found.push(name)
    else if (eventId !== null)
      byEvent.set(eventId, [...(byEvent.get(eventId) ?? []), name])
  }
  const events = await eventsAmong(db, person, [...byEvent.keys()])
  return [...found, ...events.flatMap((id) => byEvent.get(id) ?? [])]
}

async function eventsAmong(db: Db, person: Person, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{
    id: string
  }>`select t.id from unnest(${ids}::text[]) as t (id)
    where ${isOfEvent('id', person)}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function* readRecordings(db: Db, recordings: RecordedCalls, person: Person) {
  for (const name of await findRecordings(db, recordings, person)) {
    const recording = await recordings?.read(name)
    if (recording) yield { name, recording }
  }
}

/** Returns the number of deleted files. */
export async function eraseRecordings(
  db: Db,
  recordings: RecordedCalls,
  person: Person,
): Promise<number> {
  const names = await findRecordings(db, recordings, person)
  await recordings?.remove(names)
  return names.length
}
