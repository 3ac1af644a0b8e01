// The places for large bodies: few are in memory at a time, the others wait in their senders. Each
// principal has one place, so that none keeps the others waiting, and a sender or a reader of the
// response that stops loses it.
import type { ServerResponse } from 'node:http'
import { FairTurns } from '@botstead/lib'
import { minBytesPerSecond, type Timeouts } from '../limits/timeouts.ts'

/** Large bodies in memory at a time. */
const maxLarge = 2

/**
 * Requests with long bodies that are processed at a time. One that takes longer waits for something
 * other than this server.
 */
const processed = { capacity: 4, maxPerKey: 2, admitsFirst: true, maxMs: 250 }

interface LargeBodies {
  /** Resolves when the body has a place, which it keeps until its response has closed. */
  enter(principal: string, response: ServerResponse): Promise<void>
  /** Resolves when a long body, which has arrived, may be processed. */
  process(principal: string, response: ServerResponse): Promise<void>
}

export function openLargeBodies({ pace }: Timeouts): LargeBodies {
  const turns = new FairTurns({ capacity: maxLarge, maxPerKey: 1 })
  const processing = new FairTurns(processed)
  return {
    async process(principal, response) {
      const turn = processing.take(principal)
      response.once('close', turn.leave)
      if (response.destroyed) turn.leave()
      await turn.admitted
    },
    async enter(principal, response) {
      const turn = turns.take(principal)
      response.once('close', turn.leave)
      if (response.destroyed) turn.leave()
      await turn.admitted
      watchReader(response, pace)
    },
  }
}

/** Ends a response with a reader that takes less than the minimum speed. */
function watchReader(response: ServerResponse, pace: number) {
  let before = 0
  const look = () => {
    const { socket } = response
    if (!socket || !response.headersSent) return
    const sent = socket.bytesWritten - socket.writableLength
    if (before > 0 && sent - before < (minBytesPerSecond * pace) / 1_000)
      response.destroy()
    before = sent
  }
  const looks = setInterval(look, pace)
  response.once('close', () => clearInterval(looks))
}
