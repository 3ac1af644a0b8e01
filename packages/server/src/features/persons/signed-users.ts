// Users of chats with keys that the operator has signed: the id and the addresses in the key are verified.
import type { MessagingHooks } from '../../core/messaging/index.ts'
import { type AddressDeps, noteAddresses } from './automatic.ts'

export function addPersonHooks(
  hooks: Pick<MessagingHooks, 'userSigned'>,
  deps: AddressDeps,
): void {
  hooks.userSigned.push((user, { claim, signedAddresses }) =>
    noteAddresses(deps, user, [
      { kind: 'id', address: claim, verifiedBy: 'signature' },
      ...signedAddresses.map(({ kind, address, isVerified }) => ({
        kind,
        address,
        verifiedBy: isVerified ? ('signature' as const) : null,
      })),
    ]),
  )
}
