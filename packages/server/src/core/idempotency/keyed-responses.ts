// Performs requests with an Idempotency-Key once: core/delivery/idempotency/keyed-responses.ts implements it.
import type { KeyedRequest, StoredResponse } from './keys.ts'

/**
 * Performs the request with the given services. Must be repeatable, because the database may roll
 * it back.
 */
export type Perform<Services> = (services: Services) => Promise<StoredResponse>

export interface KeyedResponses<Services> {
  /**
   * Returns the response, performed or replayed. Throws what `perform` throws, RelationConflict
   * when the key belongs to a different request, and ResourceLockedConflict while another process
   * performs the request or when the wait takes too long. `operation` is `family.name`.
   */
  respond(
    operation: string,
    keyed: KeyedRequest,
    perform: Perform<Services>,
  ): Promise<StoredResponse & { replayed: boolean }>
}
