import { Type as T } from 'typebox'
import { closed, Done, Meta, paging } from '../../fields.ts'
import { OptOut, OptOutWords } from '../../models/broadcasts/broadcast.ts'
import { operation } from '../../operation.ts'

const path = '/v1/platform/opt-outs'
const text = T.String({ minLength: 1, maxLength: 200 })
const person = { integration: text, channel: text, userId: T.String() }

export const optOuts = {
  listOptOuts: operation({
    method: 'GET',
    path,
    access: 'bot',
    summary: 'List people who want no broadcasts',
    description: 'By integration, channel and user id.',
    query: T.Object({ ...paging, userId: T.Optional(T.String()) }),
    response: closed({ optOuts: T.Array(OptOut), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  addOptOut: operation({
    method: 'POST',
    path,
    access: 'bot',
    summary: 'Add a person who wants no broadcasts',
    description:
      'Also from those that run. An earlier entry of the person stays as it is.',
    body: closed(person),
    response: closed({ optOut: OptOut }),
    errors: ['ReferenceNotFound'],
  }),
  removeOptOut: operation({
    method: 'POST',
    path: `${path}/remove`,
    access: 'bot',
    summary: 'Remove the opt-out of a person',
    body: closed(person),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  getOptOutWords: operation({
    method: 'GET',
    path: '/v1/platform/opt-out-words',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Get the words for opting out',
    description: 'Those of the bot, else the default ones in several languages.',
    response: closed({ words: OptOutWords, isDefault: T.Boolean() }),
  }),
  setOptOutWords: operation({
    method: 'PUT',
    path: '/v1/platform/opt-out-words',
    access: 'bot',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Replace the words for opting out',
    description:
      'A message of a person that consists of one of these words opts out (`stop`) or in again ' +
      '(`start`). Without `words`, the default ones apply.',
    body: closed({ words: T.Optional(OptOutWords) }),
    response: closed({ words: OptOutWords, isDefault: T.Boolean() }),
    errors: ['InvalidPayload'],
  }),
}
