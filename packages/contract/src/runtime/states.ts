import { Type as T } from 'typebox'
import { closed, Json, nullable } from '../fields.ts'
import { State, StateType } from '../models/conversations/state.ts'
import { operation } from '../operation.ts'

const path = '/v1/chat/states/{type}/{id}/{name}'
const params = T.Object({
  type: StateType,
  id: T.String({ maxLength: 200 }),
  name: T.String({ maxLength: 200 }),
})

const response = closed({ state: State })
const read = closed({ state: State, meta: closed({ cached: T.Boolean() }) })

/** Milliseconds after the last use, at most 30 days; null for a state that does not expire. */
const Expiry = nullable(T.Number({ minimum: 1, maximum: 2_592_000_000 }))

const writeErrors = [
  'ReferenceNotFound',
  'InvalidDataFormat',
  'InvalidJsonSchema',
  'LimitExceeded',
] as const

export const states = {
  getState: operation({
    method: 'GET',
    path,
    access: 'bot',
    summary: 'Get a state',
    params,
    response: read,
    errors: ['ResourceNotFound'],
  }),
  setState: operation({
    method: 'POST',
    path,
    access: 'bot',
    summary: 'Set a state',
    description: 'A null payload deletes the state.',
    params,
    body: closed({ payload: nullable(Json), expiry: T.Optional(Expiry) }),
    response,
    errors: writeErrors,
  }),
  patchState: operation({
    method: 'PATCH',
    path,
    access: 'bot',
    summary: 'Set some keys of a state',
    description: 'All other keys stay unchanged.',
    params,
    // Clients newer than 1.82 send an expiry.
    body: closed({ payload: Json, expiry: T.Optional(Expiry) }),
    response,
    errors: writeErrors,
  }),
  getOrSetState: operation({
    method: 'POST',
    path: `${path}/get-or-set`,
    access: 'bot',
    summary: 'Get a state, or set its initial value',
    params,
    body: closed({ payload: Json, expiry: T.Optional(Expiry) }),
    response: read,
    errors: writeErrors,
  }),
  setStateExpiry: operation({
    method: 'POST',
    path: `${path}/expiry`,
    access: 'bot',
    summary: 'Set how long an unused state lasts',
    params,
    body: closed({ expiry: Expiry }),
    response,
    errors: ['ResourceNotFound'],
  }),
}
