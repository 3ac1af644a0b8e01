// Fair request processing. While the server processes few requests, it processes each at once. Past
// that limit, a bot's requests wait in order, and bots take turns; calls of chat users count as
// their bot's. A request holds a turn only while it is processed: not while its body is read or its
// response is sent, not for streams, and not while it waits for hosted code, because its call-backs
// need their own turns.
import { ApiError } from '@botstead/contract'
import type { FairTurn } from '@botstead/lib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServices } from '../services.ts'
import { getPrincipal } from './connections.ts'

/** Operations with handlers that call `services.announceCodeCall` before they wait for code. */
const mayCallCode = new Set([
  'runtime.createUser',
  'runtime.getOrCreateUser',
  'runtime.initializeIncomingMessage',
  'runtime.createConversation',
  'runtime.getOrCreateConversation',
  'tables.createTableRows',
  'tables.updateTableRows',
  'tables.upsertTableRows',
])

export interface Admission {
  /**
   * Returns the services for the handler; they release the turn when the handler begins to wait for
   * code.
   */
  services(inner: HttpServices): HttpServices
  leave(): void
}

type Admit = (
  services: HttpServices,
  request: FastifyRequest,
  reply: FastifyReply,
) => Admission | Promise<Admission>

/**
 * Returns the admission of an operation's requests (`family.name`), or null for streams. Operations
 * that try or register code (`triesCode`), or that call outside, release their turn as soon as they
 * begin. Rejects if the caller disconnects before its turn.
 */
export function getAdmission(
  services: HttpServices,
  operation: { name: string; stream?: boolean },
  triesCode: boolean,
): Admit | null {
  if (operation.stream) return null
  const wrap = mayCallCode.has(operation.name) ? leavingBeforeCode : unchanged
  const waitsOutside = triesCode || services.runsOutsideTransaction(operation.name)
  const admission = (turn: FairTurn): Admission => {
    if (waitsOutside) turn.leave()
    return { services: wrap(turn), leave: turn.leave }
  }
  return ({ requestTurns, config }, request, reply) => {
    const turn = requestTurns.take(
      getSharer(request.caller) ?? getPrincipal(config, request.raw),
    )
    return turn.admitted
      ? admitted(turn, reply).then(() => admission(turn))
      : admission(turn)
  }
}

const unchanged = () => (inner: HttpServices) => inner

const leavingBeforeCode =
  (turn: FairTurn) =>
  (inner: HttpServices): HttpServices => ({
    ...inner,
    announceCodeCall() {
      turn.leave()
      inner.announceCodeCall()
    },
  })

type AnyCaller = Record<string, string | null | undefined> | null

/** Returns the bot, or the workspace or account of a caller who manages bots. */
function getSharer(caller: unknown): string | null {
  const { botId, workspaceId, accountId } = (caller as AnyCaller) ?? {}
  return botId ?? workspaceId ?? accountId ?? null
}

/** Returns the workspace, for shares that several bots of one tenant must not multiply. */
export function getTenant(caller: unknown): string | null {
  const { botId, workspaceId, accountId } = (caller as AnyCaller) ?? {}
  return workspaceId ?? botId ?? accountId ?? null
}

function admitted({ admitted, leave }: FairTurn, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => {
      leave()
      reject(
        new ApiError(
          'RequestTimeout',
          'The client disconnected before the server processed the request',
        ),
      )
    }
    if (raw.closed || raw.destroyed) return onClose()
    raw.once('close', onClose)
    void admitted!.then(() => {
      raw.off('close', onClose)
      resolve()
    })
  })
}
