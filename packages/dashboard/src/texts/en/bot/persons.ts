import { inLanguage } from '../../in-language.ts'
import { amount } from '../amount.ts'

export const persons = inLanguage('persons', {
  title: 'Also known as',
  hint:
    'Users of other channels that are the same person. They share the variables that the bot keeps of ' +
    'a user.',
  none: 'No other users',
  addresses: 'Addresses',
  noAddresses: 'No addresses',
  proofs: {
    'mail-server': 'verified by the mail server',
    provider: 'verified by the provider',
    signature: 'in a signed user key',
    account: 'verified by a member',
    bot: 'verified by the bot',
  },
  claimed: 'not verified',
  alsoClaimed: 'also used without a proof',
  joined: {
    email: 'merged by e-mail address',
    phone: 'merged by phone number',
    id: 'merged by signed id',
    account: 'merged by a member',
    bot: 'merged by the bot',
  },
  suggestions: 'Perhaps the same person',
  suggestion: (address: string) => `writes under ${address}, too`,
  merge: 'Merge',
  mergeWith: (name: string) => `Merge with ${name}`,
  mergeTitle: 'Merge two users?',
  mergeText:
    'Both share the variables that the bot keeps of a user. Where both have a value, the one that was ' +
    'written last wins. Their conversations stay in their channels. You can split them again.',
  merged: 'The users are one person',
  other: 'Another user',
  apart: 'Different persons',
  keptApart: 'The users are kept apart',
  split: 'Split',
  splitOff: (name: string) => `Split ${name}`,
  splitTitle: 'Split this user?',
  splitText:
    'It gets back the variables that it had before it was merged, with what was written in its own ' +
    'conversations since. No rule merges these users again.',
  isSplit: 'The user is a person alone again',
  rules: {
    button: 'Same person',
    title: 'Users that are one person',
    hint: 'Merge users when one of them writes, and both have the same verified:',
    kinds: { email: 'E-mail address', phone: 'Phone number', id: 'Signed id' },
    kindHints: {
      email: 'As the mail server or a signed user key says',
      phone: 'Of SMS, WhatsApp or a signed user key',
      id: 'Of user keys that you sign, or as your bot says',
    },
    about: 'How addresses are verified',
    found: 'Suggestions',
    noSuggestions: 'No two users have the same address',
    users: (count: number) => amount(count, 'user'),
  },
})
