// Sends the body of a request to a runner process piece by piece, no faster than the process reads: the server holds one piece at a time besides the
// body itself.
import { constants } from 'node:buffer'
import type { Duplex } from 'node:stream'
import type { Pieces } from '../invocation/pieces.ts'
import { pieceHeader } from './frames.ts'

/** Longer texts are no strings in JavaScript. */
export const maxTextBytes = constants.MAX_STRING_LENGTH

export interface BodySender {
  /** Ends early when `isWanted` says so. False for a body that the process could not hold as a string; the rest of it was not sent. */
  send(id: number, pieces: Pieces, isWanted: () => boolean): Promise<boolean>
}

export function createBodySender(socket: Duplex): BodySender {
  let drained: Promise<void> | null = null
  const untilDrained = () => {
    drained ??= new Promise((resolve) => {
      const go = () => {
        socket.off('drain', go).off('close', go)
        drained = null
        resolve()
      }
      socket.on('drain', go).on('close', go)
    })
    return drained
  }
  const write = (id: number, piece: Buffer) => {
    socket.cork()
    socket.write(pieceHeader(id, piece.length))
    const mayGoOn = socket.write(piece)
    socket.uncork()
    return mayGoOn
  }
  return {
    async send(id, pieces, isWanted) {
      let bytes = 0
      for (const piece of pieces) {
        if (!isWanted() || !socket.writable) return true
        if (piece.length === 0) continue
        bytes += piece.length
        if (bytes > maxTextBytes) return false
        if (!write(id, piece)) await untilDrained()
      }
      if (isWanted() && socket.writable) write(id, Buffer.alloc(0))
      return true
    },
  }
}
