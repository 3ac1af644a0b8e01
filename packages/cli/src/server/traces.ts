// Reads the traces of a flow bot's turns, which the server stores as observations. Returns each
// turn once, also if its event was delivered twice.
import { itemsOf } from '@botstead/client'
import { type TurnTrace, traceText, turnObservation } from '@botstead/flows/seeing'
import { toPrintable } from '../terminal/printable.ts'
import type { Admin } from './admin.ts'

export interface TracedTurn {
  eventId: string
  turn: TurnTrace
}

/** Returns a function that reads the turns that it has not returned before, oldest first. */
export function createTraceReader(admin: Admin, botId: string, conversationId: string) {
  const returned = new Set<string>()
  let from: string | undefined
  const { platform } = admin.as(botId)
  const read = (afterDate: string | undefined) =>
    itemsOf(async (page) => {
      const query = { name: turnObservation, conversationId, afterDate, ...page }
      const { observations, meta } = await platform.listObservations({ query })
      return { items: observations, ...meta }
    })
  return async (): Promise<TracedTurn[]> => {
    const found: TracedTurn[] = []
    let newest = from
    for await (const { id = '', createdAt, data } of read(from)) {
      if (!newest || createdAt > newest) newest = createdAt
      if (returned.has(id)) continue
      returned.add(id)
      found.push({ eventId: id, turn: data as unknown as TurnTrace })
    }
    from = newest
    return found.reverse()
  }
}

export const toTrace = ({ turn }: TracedTurn): string => toPrintable(traceText(turn))
