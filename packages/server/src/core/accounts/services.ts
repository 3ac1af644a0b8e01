// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { CallerFinder, ChatUserCaller, UserKeys } from './callers.ts'

export interface AccountServices {
  callers: CallerFinder
  userKeys: UserKeys
  /** Throws Unauthorized if the user of a user key does not exist. */
  checkChatUser: (caller: Pick<ChatUserCaller, 'botId' | 'claim'>) => Promise<void>
  /** The key with which cookies of sessions are renewed. */
  sessionKey: Buffer
}

export const bindings = {
  callers: 'unchanged',
  userKeys: 'unchanged',
  // It only throws.
  checkChatUser: 'immediate',
  sessionKey: 'unchanged',
} satisfies Bindings<AccountServices>
