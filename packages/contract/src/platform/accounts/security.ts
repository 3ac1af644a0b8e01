import { Type as T } from 'typebox'
import { Count, closed, Done, nullable } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const Password = T.String({ minLength: 12, maxLength: 200 })
/** A code of the app or a recovery code. */
export const Code = T.String({ minLength: 6, maxLength: 30 })
const RecoveryCodes = closed({ recoveryCodes: T.Array(T.String()) })

export const security = {
  getSecurity: operation({
    method: 'GET',
    path: '/v1/platform/security',
    access: 'account',
    summary: "Get the caller's ways to sign in",
    response: closed({
      hasPassword: T.Boolean(),
      secondFactor: closed({ isEnabled: T.Boolean(), recoveryCodesLeft: Count }),
    }),
  }),
  setPassword: operation({
    method: 'PUT',
    path: '/v1/platform/password',
    access: 'account',
    summary: "Change the caller's password",
    description:
      'Sets the first one, too; null removes it. An account with a password needs `currentPassword`, ' +
      'except in the first 15 minutes of a session that a one-time link started; one that is sent must ' +
      'always be right. A password that is easy to guess is rejected. A new password ends all other ' +
      'sessions.',
    body: closed({
      password: nullable(Password),
      currentPassword: T.Optional(T.String({ maxLength: 200 })),
    }),
    response: Done,
    errors: ['Forbidden', 'RateLimited', 'Unavailable'],
  }),
  createSecondFactor: operation({
    method: 'POST',
    path: '/v1/platform/second-factor',
    access: 'account',
    summary: 'Create a secret for an authenticator app',
    description:
      'The second factor (TOTP) counts after the confirmation. Only this response contains the secret.',
    body: closed({}),
    response: closed({ secret: T.String(), url: T.String() }),
    errors: ['RelationConflict'],
  }),
  confirmSecondFactor: operation({
    method: 'POST',
    path: '/v1/platform/second-factor/confirm',
    access: 'account',
    summary: 'Start to require the second factor',
    description:
      "With a code of the app. Returns recovery codes, each of which replaces one of the app's.",
    body: closed({ code: Code }),
    response: RecoveryCodes,
    errors: ['Forbidden', 'RateLimited'],
  }),
  replaceRecoveryCodes: operation({
    method: 'POST',
    path: '/v1/platform/second-factor/recovery-codes',
    access: 'account',
    summary: 'Replace the recovery codes',
    body: closed({ code: Code }),
    response: RecoveryCodes,
    errors: ['Forbidden', 'RateLimited'],
  }),
  removeSecondFactor: operation({
    method: 'POST',
    path: '/v1/platform/second-factor/remove',
    access: 'account',
    summary: 'Remove the second factor',
    body: closed({ code: Code }),
    response: Done,
    errors: ['Forbidden', 'RateLimited'],
  }),
}
