import { Type as T } from 'typebox'
import { closed, Json } from '../fields.ts'
import { operation } from '../operation.ts'

export const actions = {
  callAction: operation({
    method: 'POST',
    path: '/v1/chat/actions',
    access: 'bot',
    summary: 'Call an action and wait for its output',
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
