import { Type as T } from 'typebox'
import { closed, Done, nullable } from '../fields.ts'
import { operation } from '../operation.ts'

/** Required by operations that set the cookie: pages of other origins cannot send it. */
const headers = T.Object({ 'x-botstead-session': T.Literal('1') })

export const signIn = {
  getSignIn: operation({
    method: 'GET',
    path: '/v1/platform/sign-in',
    access: 'public',
    summary: 'Get the ways to sign in',
    description: "`talk` is the chat of the installation's first bot.",
    response: closed({
      password: T.Boolean(),
      openId: nullable(closed({ name: T.String() })),
      talk: nullable(closed({ path: T.String(), botName: T.String() })),
    }),
  }),
  signInWithLink: operation({
    method: 'POST',
    path: '/v1/platform/sign-in/link',
    access: 'public',
    summary: 'Sign in with a one-time link',
    description:
      'Sets the cookie of a new session. The start of a server and `botstead login-link` print links. ' +
      'A link works once.',
    headers,
    body: closed({ code: T.String({ minLength: 1, maxLength: 100 }) }),
    response: Done,
    errors: ['Unauthorized'],
  }),
}
