// The fair share of request processing. While the server has few requests to process, each is processed at once. Past that, the requests of a bot wait in
// order, and bots take turns; calls of chat users count to their bot. Only processing holds a turn: not reading a body, not sending an answer, not a
// stream, and not waiting for hosted code, whose call-backs need turns of their own.
import { ApiError } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Turn } from '../lib/fair-turns.ts'
import type { Services } from '../services.ts'
import { principalOf } from './connections.ts'

/** Their handlers say by `services.callsCode` when they begin to wait for code. */
const mayCallCode = new Set([
  ...['runtime.createUser', 'runtime.getOrCreateUser', 'runtime.initializeIncomingMessage'],
  ...['runtime.createConversation', 'runtime.getOrCreateConversation'],
  ...['tables.createTableRows', 'tables.updateTableRows', 'tables.upsertTableRows'],
])

export interface Admission {
  /** The services for the handler: they give the turn back when it begins to wait for code. */
  services(given: Services): Services
  leave(): void
}

type Admit = (
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
) => Admission | Promise<Admission>

/**
 * How requests of this operation (`family.name`) are admitted; null for streams. Those that try or register code (`triesCode`), or reach outside, give
 * their turn back as soon as it begins. Rejects when the caller leaves before its turn.
 */
export function admissionOf(
  services: Services,
  operation: { name: string; stream?: boolean },
  triesCode: boolean,
): Admit | null {
  if (operation.stream) return null
  const wrap = mayCallCode.has(operation.name) ? leavingBeforeCode : unchanged
  const waitsOutside = triesCode || services.reachesOutside(operation.name)
  const admission = (turn: Turn): Admission => {
    if (waitsOutside) turn.leave()
    return { services: wrap(turn), leave: turn.leave }
  }
  return ({ requestTurns, config }, request, reply) => {
    const turn = requestTurns.take(sharerOf(request.caller) ?? principalOf(config, request.raw))
    return turn.admitted ? admitted(turn, reply).then(() => admission(turn)) : admission(turn)
  }
}

const unchanged = () => (given: Services) => given

const leavingBeforeCode =
  (turn: Turn) =>
  (given: Services): Services => ({
    ...given,
    callsCode() {
      turn.leave()
      given.callsCode()
    },
  })

/** The bot, or who manages bots. */
function sharerOf(caller: unknown): string | null {
  const { botId, workspaceId, accountId } = (caller ?? {}) as Record<string, string | null | undefined>
  return botId ?? workspaceId ?? accountId ?? null
}

function admitted({ admitted, leave }: Turn, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => {
      leave()
      reject(new ApiError('RequestTimeout', 'The caller left before its request was processed'))
    }
    if (raw.closed || raw.destroyed) return onClose()
    raw.once('close', onClose)
    void admitted!.then(() => {
      raw.off('close', onClose)
      resolve()
    })
  })
}
