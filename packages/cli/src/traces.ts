// Reads the traces of a flow bot's turns, which the server stores as observations. Returns each
// turn once, also if its event was delivered twice.
import { type TurnTrace, traceText, turnObservation } from '@botstead/flows/seeing'
import type { openAdmin } from './admin.ts'
import { toPrintable } from './printable.ts'

export interface TracedTurn {
  eventId: string
  turn: TurnTrace
}

interface Page {
  observations: { id?: string; createdAt: string; data: TurnTrace }[]
  meta: { nextToken?: string }
}

/** Returns a function that reads the turns that it has not returned before, oldest first. */
export function createTraceReader(
  admin: ReturnType<typeof openAdmin>,
  botId: string,
  conversationId: string,
) {
  const returned = new Set<string>()
  let from: string | undefined
  return async (): Promise<TracedTurn[]> => {
    const found: TracedTurn[] = []
    let nextToken: string | undefined
    let newest = from
    do {
      const query = new URLSearchParams({
        name: turnObservation,
        conversationId,
        ...(from && { afterDate: from }),
        ...(nextToken && { nextToken }),
      })
      const { observations, meta } = await admin.askAs<Page>(
        botId,
        `/v1/platform/observations?${query}`,
      )
      for (const { id = '', createdAt, data } of observations) {
        if (!newest || createdAt > newest) newest = createdAt
        if (returned.has(id)) continue
        returned.add(id)
        found.push({ eventId: id, turn: data })
      }
      nextToken = meta.nextToken
    } while (nextToken)
    from = newest
    return found.reverse()
  }
}

export const toTrace = ({ turn }: TracedTurn): string => toPrintable(traceText(turn))
