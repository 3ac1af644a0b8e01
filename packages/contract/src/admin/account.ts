import { Type as T } from 'typebox'
import { closed, Done } from '../fields.ts'
import { Account } from '../models/account.ts'
import { operation } from '../operation.ts'

const byKey = T.Object({ key: T.String({ maxLength: 200 }) })
const answer = closed({ account: Account })

export const account = {
  getAccount: operation({
    method: 'GET',
    path: '/v1/admin/account/me',
    access: 'account',
    summary: 'Look up oneself',
    response: answer,
  }),
  updateAccount: operation({
    method: 'PUT',
    path: '/v1/admin/account/me',
    access: 'account',
    summary: 'Change what is known about oneself',
    body: closed({
      displayName: T.Optional(T.String({ maxLength: 100 })),
      profilePicture: T.Optional(T.String()),
      refresh: T.Optional(T.Boolean()),
    }),
    response: answer,
  }),
  deleteAccount: operation({
    method: 'POST',
    path: '/v1/admin/account/me',
    access: 'account',
    summary: 'Delete oneself, and the workspaces where one is alone',
    body: closed({}),
    response: Done,
    errors: ['RelationConflict'],
  }),
  getAccountPreference: operation({
    method: 'GET',
    path: '/v1/admin/account/preferences/{key}',
    access: 'account',
    summary: 'Read what was remembered under this key for the caller',
    params: byKey,
    response: closed({ value: T.Optional(T.Unknown()) }),
    errors: ['ResourceNotFound'],
  }),
  setAccountPreference: operation({
    method: 'POST',
    path: '/v1/admin/account/preferences/{key}',
    access: 'account',
    summary: 'Remember something for the caller, or forget it when there is no value',
    params: byKey,
    body: closed({ value: T.Optional(T.Unknown()) }),
    response: Done,
  }),
}
