// Page tokens: opaque, signed, and bound to their listing, so that a token cannot be used for
// another one.
import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { hmac } from '@botstead/lib'

export interface PageTokens {
  /**
   * Creates a token. `listing` names the tenant, the operation and its filters; `position` is where
   * the next page starts.
   */
  make(listing: string, position: readonly string[]): string
  /**
   * Returns the position, or null without a token. Throws InvalidQuery for a token that was not
   * created for this listing.
   */
  read(listing: string, token: string | undefined): string[] | null
}

export function createPageTokens(key: Buffer): PageTokens {
  const sign = (listing: string, body: string) =>
    hmac(key, `${listing}\n${body}`).subarray(0, 16)
  return {
    make(listing, position) {
      const body = JSON.stringify(position)
      return Buffer.concat([sign(listing, body), Buffer.from(body)]).toString('base64url')
    },
    read(listing, token) {
      if (!token) return null
      const bytes = Buffer.from(token, 'base64url')
      const body = bytes.subarray(16).toString('utf8')
      if (
        bytes.length < 17 ||
        !timingSafeEqual(bytes.subarray(0, 16), sign(listing, body))
      )
        throw new ApiError(
          'InvalidQuery',
          '`nextToken` does not belong to this listing: use the token of its previous page',
        )
      return JSON.parse(body)
    },
  }
}
