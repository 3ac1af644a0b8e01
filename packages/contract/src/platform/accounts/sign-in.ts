import { Type as T } from 'typebox'
import { closed, Done, nullable } from '../../fields.ts'
import { MemberRole } from '../../models/accounts/workspace-member.ts'
import { operation } from '../../operation.ts'
import { InvitationCode } from './invitations.ts'
import { Code, Password } from './security.ts'
import { SessionDetails } from './sessions.ts'

/** Required by operations that set the cookie: pages of other origins cannot send it. */
const headers = T.Object({ 'x-botstead-session': T.Literal('1') })

export const signIn = {
  getSignIn: operation({
    method: 'GET',
    path: '/v1/platform/sign-in',
    access: 'public',
    summary: 'Get the ways to sign in',
    description:
      '`hasSession`: whether the request is signed in, and `session` as `getSession` returns it. ' +
      "`talk`: the chat of the installation's first bot.",
    response: closed({
      hasSession: T.Boolean(),
      session: nullable(SessionDetails),
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
  signInWithPassword: operation({
    method: 'POST',
    path: '/v1/platform/sign-in/password',
    access: 'public',
    summary: 'Sign in with e-mail address and password',
    description:
      'Sets the cookie of a new session. With `needsCode`, the password is right and the account has a ' +
      'second factor: repeat the request with `code`. After several failures, the server answers 429 ' +
      'with `retry-after`.',
    headers,
    body: closed({
      email: T.String({ maxLength: 254 }),
      password: T.String({ maxLength: 200 }),
      code: T.Optional(Code),
    }),
    response: closed({ needsCode: T.Boolean() }),
    errors: ['Unauthorized', 'RateLimited', 'Unavailable'],
  }),
  startOpenId: operation({
    method: 'POST',
    path: '/v1/platform/sign-in/open-id',
    access: 'public',
    summary: 'Start signing in with OpenID Connect',
    description:
      'Returns the address at the provider to open, and sets a cookie for ten minutes. The provider ' +
      'returns to `/sign-in`.',
    headers,
    body: closed({}),
    response: closed({ url: T.String() }),
    errors: ['ResourceNotFound', 'Unavailable'],
  }),
  signInWithOpenId: operation({
    method: 'POST',
    path: '/v1/platform/sign-in/open-id/response',
    access: 'public',
    summary: 'Sign in with a response of OpenID Connect',
    description:
      'Sets the cookie of a new session. `query` is the query with which the provider returned.',
    headers,
    body: closed({ query: T.String({ maxLength: 8_000 }) }),
    response: Done,
    errors: ['ResourceNotFound', 'Unauthorized', 'Forbidden', 'Unavailable'],
  }),
  previewInvitation: operation({
    method: 'POST',
    path: '/v1/platform/sign-in/invitation/preview',
    access: 'public',
    summary: 'Get the invitation of a link',
    description:
      '`mayClaim` is always true: it does not show whether there is an account with the address. The ' +
      'holder of such an account signs in and accepts.',
    body: closed({ code: InvitationCode }),
    response: closed({
      workspace: T.String(),
      email: T.String(),
      role: MemberRole,
      mayClaim: T.Literal(true),
    }),
    errors: ['ResourceGone'],
  }),
  signInWithInvitation: operation({
    method: 'POST',
    path: '/v1/platform/sign-in/invitation',
    access: 'public',
    summary: 'Accept an invitation with a new account',
    description:
      'Creates the account, makes it a member, and sets the cookie of a new session.',
    headers,
    body: closed({
      code: InvitationCode,
      displayName: T.String({ minLength: 1, maxLength: 100 }),
      password: Password,
    }),
    response: Done,
    errors: ['ResourceGone', 'RelationConflict', 'QuotaExceeded', 'Unavailable'],
  }),
}
