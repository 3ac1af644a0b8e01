import { Type as T } from 'typebox'
import { closed, Json, nullable } from '../fields.ts'
import { State, StateType } from '../models/state.ts'
import { operation } from '../operation.ts'

const path = '/v1/chat/states/{type}/{id}/{name}'
const params = T.Object({
  type: StateType,
  id: T.String({ maxLength: 200 }),
  name: T.String({ maxLength: 200 }),
})

const answer = closed({ state: State })
const read = closed({ state: State, meta: closed({ cached: T.Boolean() }) })

/** In milliseconds from the last use, 30 days at most; null for a state that lasts. */
const Expiry = nullable(T.Number({ minimum: 1, maximum: 2_592_000_000 }))

const refusals = ['ReferenceNotFound', 'InvalidDataFormat', 'InvalidJsonSchema', 'LimitExceeded'] as const

export const states = {
  getState: operation({
    method: 'GET',
    path,
    access: 'bot',
    summary: 'Look up a state',
    params,
    response: read,
    errors: ['ResourceNotFound'],
  }),
  setState: operation({
    method: 'POST',
    path,
    access: 'bot',
    summary: 'Set a state, or delete it: null is no payload',
    params,
    body: closed({ payload: nullable(Json), expiry: T.Optional(Expiry) }),
    response: answer,
    errors: refusals,
  }),
  patchState: operation({
    method: 'PATCH',
    path,
    access: 'bot',
    summary: 'Set some keys of a state; the others stay as they are',
    params,
    // newer clients than 1.82 send an expiry along
    body: closed({ payload: Json, expiry: T.Optional(Expiry) }),
    response: answer,
    errors: refusals,
  }),
  getOrSetState: operation({
    method: 'POST',
    path: `${path}/get-or-set`,
    access: 'bot',
    summary: 'Look up a state, or set it where there is none',
    params,
    body: closed({ payload: Json, expiry: T.Optional(Expiry) }),
    response: read,
    errors: refusals,
  }),
  setStateExpiry: operation({
    method: 'POST',
    path: `${path}/expiry`,
    access: 'bot',
    summary: 'Say how long a state lasts without use',
    params,
    body: closed({ expiry: Expiry }),
    response: answer,
    errors: ['ResourceNotFound'],
  }),
}
