// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { OpenId } from './open-id.ts'

export interface SignInServices {
  /** Returns the chat of the first bot; null without one. */
  firstChat: () => { path: string; botName: string } | null
  /** Signs people in at an OpenID Connect provider; null if none is configured. */
  openId: OpenId | null
  /** Encrypts the secrets of started sign-ins in cookies. */
  openIdKey: Buffer
}

export const bindings = {
  firstChat: 'unchanged',
  openId: 'unchanged',
  openIdKey: 'unchanged',
} satisfies Bindings<SignInServices>
