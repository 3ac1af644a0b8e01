// Errors of the Send API of Messenger and Instagram
// (https://developers.facebook.com/docs/messenger-platform/error-codes).
import type { Explanation } from '../errors.ts'

export const outsideWindow =
  'The person last wrote more than 24 hours ago, and Meta then delivers only messages with a ' +
  'tag: set the message tag in the configuration, if its rules admit what the bot says.'

export const toTokenExplanation = (remedy: string): Explanation => ({
  codes: [190, 102],
  kind: 'credentials',
  text: `Meta does not accept the access token: it is incomplete, revoked or expired. ${remedy}`,
})

export const pageExplanations: Explanation[] = [
  { codes: [10], subcodes: [2018278, 2534022], kind: 'rejected', text: outsideWindow },
  {
    subcodes: [1545041],
    kind: 'rejected',
    text: 'The person has blocked the account, or closed their own.',
  },
  {
    codes: [100],
    subcodes: [2018001, 2534014],
    kind: 'rejected',
    text: 'Meta does not know the person here: they must write to this account first.',
  },
  {
    codes: [100],
    subcodes: [33],
    kind: 'credentials',
    text:
      'Meta does not find the account, or the access token is of another one. Copy its ID, and ' +
      'make the token for this account.',
  },
  {
    codes: [210],
    kind: 'credentials',
    text: 'This is the token of a person. The one of the page is needed: Messenger, API settings.',
  },
  { codes: [551], kind: 'rejected', text: 'The person cannot be reached now.' },
  { codes: [80006], kind: 'limited', text: 'Too many messages for now.' },
  { codes: [1200], kind: 'unavailable', text: 'A failure of Meta.' },
]
