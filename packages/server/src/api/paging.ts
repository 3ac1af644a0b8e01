// Pages of listings: from where the token says, and one row more to know whether there is a next page.
import type { Services } from '../services.ts'

const usual = 20

export interface Page<Position> {
  position: Position | null
  limit: number
  token: (position: Position) => string
}

/** `listing` names the tenant and the listing; a token of another one is refused. */
export function startOf({ pageTokens }: Services, listing: string[], query: { nextToken?: string; pageSize?: number }): Page<string[]> {
  const name = listing.join('\n')
  return {
    position: pageTokens.read(name, query.nextToken),
    limit: Math.min(query.pageSize ?? usual, 100),
    token: (position) => pageTokens.make(name, position),
  }
}

/** `rows` is one more than the page holds, when there is a next one. */
export function pageOf<Row>({ limit, token }: Page<string[]>, rows: Row[], position: (row: Row) => string[]) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, meta: rows.length > limit && last ? { nextToken: token(position(last)) } : {} }
}

export const positionOf = (row: { id: string; created_at: Date }) => [row.created_at.toISOString(), row.id]
