import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'
import { User } from './user.ts'

/** Kinds of addresses by which users of several channels are the same person. */
export const addressKinds = ['email', 'phone', 'id'] as const
export type AddressKind = (typeof addressKinds)[number]

/** Who vouches that an address belongs to the user that wrote under it. */
export const addressProofs = [
  'mail-server',
  'provider',
  'signature',
  'account',
  'bot',
] as const
export type AddressProof = (typeof addressProofs)[number]

/** @component */
export const UserAddress = closed({
  kind: T.Enum([...addressKinds]),
  /** As all channels write it: e-mail addresses in small letters, phone numbers as `+40712345678`. */
  address: T.String(),
  /**
   * `mail-server`: it has checked the sender's domain. `provider`: of the phone number. `signature`: a user
   * key that the operator signed. `account`, `bot`: called `verifyUserAddress`. Absent: the user only claims
   * it.
   */
  verifiedBy: T.Optional(T.Enum([...addressProofs])),
  verifiedAt: T.Optional(Timestamp),
  /** When it was last used without a proof. Then no rule merges by it. */
  claimedAt: T.Optional(Timestamp),
})
export type UserAddress = Static<typeof UserAddress>

/** @component */
export const PersonUser = closed({
  user: User,
  /** Alias of the integration: its channel. */
  integration: T.Optional(T.String()),
  addresses: T.Array(UserAddress),
  /** When it was merged with the others; absent for a person with one user. */
  joinedAt: T.Optional(Timestamp),
  /** The kind of address of the rule that merged it; `account` or `bot`: by hand. */
  joinedBy: T.Optional(T.Enum([...addressKinds, 'account', 'bot'])),
  /** The account of the member who merged it. */
  accountId: T.Optional(T.String()),
})
export type PersonUser = Static<typeof PersonUser>

/** A person as the users of a bot that it is, oldest first. @component */
export const Person = closed({ users: T.Array(PersonUser) })
export type Person = Static<typeof Person>

/** Different persons with the same address. @component */
export const MergeSuggestion = closed({
  kind: T.Enum([...addressKinds]),
  address: T.String(),
  /** Up to 20, in the order of their ids; of a person, the user with the address. */
  users: T.Array(PersonUser),
})
export type MergeSuggestion = Static<typeof MergeSuggestion>

/** @component */
export const PersonRules = closed({
  /** Users with the same verified address of these kinds are merged when one of them writes. */
  mergeBy: T.Array(T.Enum([...addressKinds]), { maxItems: 3, uniqueItems: true }),
})
export type PersonRules = Static<typeof PersonRules>
