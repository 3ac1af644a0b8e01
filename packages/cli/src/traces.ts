// What a bot made of flows noted of its turns: observations of the server, each turn once, also when its event was told twice.
import { type TurnTrace, traceText, turnObservation } from '@botstead/flows/seeing'
import type { openAdmin } from './admin.ts'
import { harmless } from './printable.ts'

export interface Traced {
  eventId: string
  turn: TurnTrace
}

interface Page {
  observations: { id?: string; createdAt: string; data: TurnTrace }[]
  meta: { nextToken?: string }
}

/** Those that were not given out before, oldest first. */
export function traceReader(admin: ReturnType<typeof openAdmin>, botId: string, conversationId: string) {
  const given = new Set<string>()
  let from: string | undefined
  return async (): Promise<Traced[]> => {
    const found: Traced[] = []
    let nextToken: string | undefined
    let newest = from
    do {
      const asked = new URLSearchParams({
        name: turnObservation,
        conversationId,
        ...(from && { afterDate: from }),
        ...(nextToken && { nextToken }),
      })
      const { observations, meta } = await admin.askAs<Page>(botId, `/v1/platform/observations?${asked}`)
      for (const { id = '', createdAt, data } of observations) {
        if (!newest || createdAt > newest) newest = createdAt
        if (given.has(id)) continue
        given.add(id)
        found.push({ eventId: id, turn: data })
      }
      nextToken = meta.nextToken
    } while (nextToken)
    from = newest
    return found.reverse()
  }
}

export const shownTrace = ({ turn }: Traced): string => harmless(traceText(turn))
