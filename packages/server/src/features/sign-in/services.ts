// The services of this feature, which its handlers receive beside those of the core.
import type { OpenId } from './open-id.ts'

export interface SignInServices {
  /** Returns the chat of the first bot; null without one. */
  firstChat: () => { path: string; botName: string } | null
  /** Signs people in at an OpenID Connect provider; null if none is configured. */
  openId: OpenId | null
  /** Encrypts the secrets of started sign-ins in cookies. */
  openIdKey: Buffer
}
