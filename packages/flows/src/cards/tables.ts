// Runs table cards. Creates a table that the document declares on its first use if the server does
// not have it.
import { findRegion } from '../captures/locales.ts'
import type { CardByType } from '../document/card-shapes.ts'
import { findLocale } from '../engine/language.ts'
import { type Json, type PlatformCall, PlatformRejection } from '../engine/platform.ts'
import { callOnce, nextKey, type Turn } from '../engine/turn.ts'
import { toAlikeSearch } from './alike.ts'

type Operation = Omit<CardByType<'table'>, 'type' | 'into' | 'name'>

export async function performOnTable(turn: Turn, card: Operation): Promise<unknown> {
  if (card.operation === 'find' && card.alike !== undefined) return findAlike(turn, card)
  const answer = await askTable(turn, card.table, toCall(card))
  if (card.operation === 'get') return answer.row
  return card.operation === 'delete' ? answer.deletedRows : answer.rows
}

/** Finds the texts as they are typed, by an index. If there are none, finds them in other spellings. */
async function findAlike(turn: Turn, card: Operation): Promise<unknown> {
  const { document } = turn.engine.program
  const search = toAlikeSearch(card.alike!, {
    table: Object.hasOwn(document.tables ?? {}, card.table)
      ? document.tables![card.table]
      : undefined,
    region: findRegion(findLocale(turn)),
  })
  if (search === null) return []
  const find = async (found: Json, more: Partial<Operation> = {}) => {
    const filter = card.filter === undefined ? found : { $and: [card.filter, found] }
    const answer = await askTable(turn, card.table, toCall({ ...card, filter, ...more }))
    return answer.rows as Json[]
  }
  const rows = await find(search.exact)
  if (rows.length > 0 || search.spelled === null) return rows
  const candidates = await find(search.spelled, { limit: maxCandidates })
  return candidates.filter(search.fits).slice(0, card.limit ?? maxCandidates)
}

/** Rows that may fit in another spelling. */
const maxCandidates = 100

/** Calls the Tables API. Throws Refused. */
export async function askTable(
  turn: Turn,
  table: string,
  { method, path, body }: Pick<PlatformCall, 'method' | 'path' | 'body'>,
): Promise<Json> {
  const call: PlatformCall = {
    method,
    path: `/v1/tables/${encodeURIComponent(table)}${path}`,
    body,
  }
  const send = () =>
    method === 'POST'
      ? callOnce(turn, nextKey(turn), call)
      : turn.engine.platform({ ...call, cause: turn.delivered.id })
  return turn.trace.call(
    `table ${table}`,
    send().catch(async (error: unknown) => {
      if (
        !(error instanceof PlatformRejection && error.status === 404) ||
        !(await makeTable(turn, table))
      )
        throw error
      return send()
    }),
  )
}

/** Creates a table. Returns false if the document does not declare it. */
async function makeTable({ engine }: Turn, name: string): Promise<boolean> {
  const declared = engine.program.document.tables ?? {}
  if (!Object.hasOwn(declared, name)) return false
  const { schema, keyColumn } = declared[name]!
  await engine.platform({
    method: 'POST',
    path: `/v1/tables/${encodeURIComponent(name)}`,
    body: { schema, ...(keyColumn && { keyColumn }) },
  })
  return true
}

function toCall({
  operation,
  id,
  row,
  rows,
  filter,
  search,
  orderBy,
  orderDirection,
  limit,
  keyColumn,
}: Operation): Pick<PlatformCall, 'method' | 'path' | 'body'> {
  const given = rows === undefined ? [row] : toList(rows)
  switch (operation) {
    case 'find':
      return {
        method: 'POST',
        path: '/rows/find',
        body: present({
          filter,
          search: search || undefined,
          orderBy,
          orderDirection,
          limit,
        }),
      }
    case 'get':
      return { method: 'GET', path: `/row?${new URLSearchParams({ id: String(id) })}` }
    case 'create':
      return { method: 'POST', path: '/rows', body: { rows: given } }
    case 'update':
      return {
        method: 'PUT',
        path: '/rows',
        body: {
          rows: given.map((one) => ({
            ...(id !== undefined && { id: Number(id) }),
            ...(one as Json),
          })),
        },
      }
    case 'upsert':
      return { method: 'POST', path: '/rows/upsert', body: { rows: given, keyColumn } }
    case 'delete':
      return {
        method: 'POST',
        path: '/rows/delete',
        body: id === undefined ? { filter } : { ids: toList(id).map(Number) },
      }
  }
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const present = (fields: Json) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
