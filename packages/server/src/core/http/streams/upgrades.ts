// The entrance of upgrades to WebSocket. A rejection is an ordinary response to the handshake,
// whatever the code throws.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { rejectForeignTarget } from '../input/request-target.ts'
import { rejectUpgrade } from '../limits/rejection.ts'
import { observeOther, type RequestFailure } from '../observe.ts'
import type { HttpServices } from '../services.ts'
import { attributed } from '../uncaught.ts'
import type { Handshake } from './handshake.ts'

export interface UpgradeRoute {
  /** Name in log and metrics. */
  operation: string
  matches(url: string): boolean
  /**
   * Completes the handshake, or rejects. Returns the bot for the log; null if another installation
   * answers.
   */
  accept(handshake: Handshake): Promise<{ botId?: string } | null>
}

/** The first matching route gets the upgrade; the last one must match all. */
export function serveUpgrades(
  server: FastifyInstance,
  { log, metrics }: Pick<HttpServices, 'log' | 'metrics'>,
  routes: UpgradeRoute[],
) {
  server.server.on(
    'upgrade',
    (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => {}) // the client may disconnect during the handshake
      const since = performance.now()
      const { operation, accept } = routes.find(({ matches }) => matches(request.url!))!
      const report = (outcome: {
        status: number
        botId?: string
        failure?: RequestFailure
      }) =>
        observeOther(
          { log, requests: metrics.requests },
          { operation, since, ...outcome },
        )
      const fail = (error: unknown) => {
        const { status, ...failure } = rejectUpgrade(socket, error)
        report({ status, failure })
      }
      const upgrade = async () => {
        rejectForeignTarget(request)
        return accept({ request, socket, head })
      }
      attributed(
        () => socket.destroy(),
        () =>
          void upgrade().then((done) => done && report({ status: 101, ...done }), fail),
      )
    },
  )
}
