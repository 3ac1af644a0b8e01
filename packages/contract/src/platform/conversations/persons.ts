import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../../fields.ts'
import {
  addressKinds,
  MergeSuggestion,
  Person,
  PersonRules,
} from '../../models/conversations/person.ts'
import { operation } from '../../operation.ts'

const response = closed({ person: Person })

export const persons = {
  getPerson: operation({
    method: 'GET',
    path: '/v1/platform/users/{id}/person',
    access: 'bot',
    summary: 'Get the users of a person',
    description:
      'All users of the bot that are the same person as this one, with their addresses. A user that was ' +
      'never merged is a person alone. `suggestions`: up to 20 addresses of this user that others have, ' +
      'too (`listMergeSuggestions`).',
    params: byId,
    response: closed({ person: Person, suggestions: T.Array(MergeSuggestion) }),
    errors: ['ResourceNotFound'],
  }),
  mergeUsers: operation({
    method: 'POST',
    path: '/v1/platform/users/{id}/merge',
    access: 'bot',
    permission: 'data.write',
    summary: 'Merge users into one person',
    description:
      'The users keep their ids and conversations, and share the states that the bot keeps of them. Of ' +
      'each key in several states, the value that was written last wins; a split restores the others. A ' +
      'person has at most 20 users.',
    params: byId,
    body: closed({ userIds: T.Array(T.String(), { minItems: 1, maxItems: 19 }) }),
    response,
    errors: ['ResourceNotFound', 'InvalidPayload', 'LimitExceeded'],
  }),
  splitUser: operation({
    method: 'POST',
    path: '/v1/platform/users/{id}/split',
    access: 'bot',
    permission: 'data.write',
    summary: 'Split a user from its person',
    description:
      'The user gets the states that it had before it was merged, with the writes through it since; ' +
      'the others keep theirs. No rule merges them again. Returns the person of the user, which is alone.',
    params: byId,
    body: closed({}),
    response,
    errors: ['ResourceNotFound'],
  }),
  verifyUserAddress: operation({
    method: 'POST',
    path: '/v1/platform/users/{id}/addresses',
    access: 'bot',
    permission: 'data.write',
    summary: 'Verify an address of a user',
    description:
      'For a bot that has verified an address itself, such as by a code. `id`: of the person in another ' +
      'system, as in signed user keys. May merge the user, as the rules of the bot say.',
    params: byId,
    body: closed({
      kind: T.Enum([...addressKinds]),
      address: T.String({ minLength: 1, maxLength: 320 }),
    }),
    response,
    errors: ['ResourceNotFound', 'InvalidPayload'],
  }),
  listMergeSuggestions: operation({
    method: 'GET',
    path: '/v1/platform/merge-suggestions',
    access: 'bot',
    summary: 'List users that may be one person',
    description:
      'Different persons with the same address, verified or not, by address. `userId`: only those of ' +
      'this user. A page may be shorter than `pageSize`, or empty, although more follow.',
    query: T.Object({ ...paging, userId: T.Optional(T.String()) }),
    response: closed({ suggestions: T.Array(MergeSuggestion), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  keepUsersApart: operation({
    method: 'POST',
    path: '/v1/platform/users/{id}/keep-apart',
    access: 'bot',
    permission: 'data.write',
    summary: 'Keep two users apart',
    description:
      'Different persons with the same address: no rule merges them, and no suggestion names them. A merge ' +
      'by hand ends this.',
    params: byId,
    body: closed({ userId: T.String() }),
    response: Done,
    errors: ['ResourceNotFound', 'RelationConflict'],
  }),
  getPersonRules: operation({
    method: 'GET',
    path: '/v1/platform/person-rules',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Get the rules for merging users',
    response: closed({ rules: PersonRules }),
  }),
  setPersonRules: operation({
    method: 'PUT',
    path: '/v1/platform/person-rules',
    access: 'bot',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Replace the rules for merging users',
    description:
      'With no kind in `mergeBy`, the default, only people and bots merge users. Merged users stay merged.',
    body: PersonRules,
    response: closed({ rules: PersonRules }),
  }),
}
