// Retries of deliveries, and the lease of a server.
import { parseList, parseNumber, readInteger } from '../environment.ts'

export interface DeliverySection {
  /**
   * BOTSTEAD_RETRY_SECONDS [1,5]: Comma-separated pauses before each retry of a delivery; after the last
   * retry it is a dead letter.
   */
  retrySeconds: number[]
  /**
   * BOTSTEAD_LEASE_SECONDS: How long a server may be silent before servers on other machines take over its
   * conversations and jobs; on the same machine they do so within a second.
   */
  leaseSeconds: number
}

export const readDeliverySection = (env: NodeJS.ProcessEnv): DeliverySection => ({
  retrySeconds: parseList(env.BOTSTEAD_RETRY_SECONDS ?? '1,5').map((text) =>
    parseNumber('BOTSTEAD_RETRY_SECONDS', text, 0, 86_400),
  ),
  leaseSeconds: readInteger(env, 'BOTSTEAD_LEASE_SECONDS', 4, 1, 3600),
})
