import { Type as T } from 'typebox'
import { closed, Done } from '../fields.ts'
import { Account } from '../models/accounts/account.ts'
import { operation } from '../operation.ts'

const byKey = T.Object({ key: T.String({ maxLength: 200 }) })
const response = closed({ account: Account })

export const account = {
  getAccount: operation({
    method: 'GET',
    path: '/v1/admin/account/me',
    access: 'account',
    summary: "Get the caller's account",
    response,
  }),
  updateAccount: operation({
    method: 'PUT',
    path: '/v1/admin/account/me',
    access: 'account',
    summary: "Update the caller's account",
    body: closed({
      displayName: T.Optional(T.String({ maxLength: 100 })),
      profilePicture: T.Optional(T.String()),
      refresh: T.Optional(T.Boolean()),
    }),
    response,
  }),
  deleteAccount: operation({
    method: 'POST',
    path: '/v1/admin/account/me',
    access: 'account',
    summary: "Delete the caller's account",
    description: 'Also deletes the workspaces in which the caller is the only member.',
    body: closed({}),
    response: Done,
    errors: ['RelationConflict'],
  }),
  getAccountPreference: operation({
    method: 'GET',
    path: '/v1/admin/account/preferences/{key}',
    access: 'account',
    summary: 'Get a preference of the caller',
    params: byKey,
    response: closed({ value: T.Optional(T.Unknown()) }),
    errors: ['ResourceNotFound'],
  }),
  setAccountPreference: operation({
    method: 'POST',
    path: '/v1/admin/account/preferences/{key}',
    access: 'account',
    summary: 'Set a preference of the caller',
    description: 'A request without a value deletes the preference.',
    params: byKey,
    body: closed({ value: T.Optional(T.Unknown()) }),
    response: Done,
  }),
}
