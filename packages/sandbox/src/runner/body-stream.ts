// Sends a request body to a runner process in pieces, respecting the socket's backpressure. Besides
// the body itself, the server holds one piece at a time.
import { constants } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { nextSlice } from '@botstead/lib'
import type { Pieces } from '../invocation/pieces.ts'
import { pieceHeader } from './frames.ts'

/** The longest string that JavaScript can hold. */
export const maxTextBytes = constants.MAX_STRING_LENGTH

interface BodySender {
  /**
   * Stops early when `isWanted` returns false. Resolves to false, without sending the rest, when
   * the body exceeds `maxTextBytes`.
   */
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
    const canContinue = socket.write(piece)
    socket.uncork()
    return canContinue
  }
  return {
    async send(id, pieces, isWanted) {
      let bytes = 0
      for (const piece of pieces) {
        await nextSlice()
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
