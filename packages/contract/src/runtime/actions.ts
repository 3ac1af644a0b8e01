import { Type as T } from 'typebox'
import { closed, Json } from '../fields.ts'
import { operation } from '../operation.ts'

export const actions = {
  callAction: operation({
    method: 'POST',
    path: '/v1/chat/actions',
    access: 'bot',
    summary: 'Have something done by the bot or by one of its integrations, and wait for the outcome',
    body: closed({ type: T.String({ maxLength: 200 }), input: Json }),
    response: closed({ output: Json, meta: closed({ cached: T.Boolean() }) }),
    errors: [
      'ResourceNotFound',
      'ReferenceNotFound',
      'Forbidden',
      'Runtime',
      'OperationTimeout',
      'Unavailable',
    ],
  }),
}
