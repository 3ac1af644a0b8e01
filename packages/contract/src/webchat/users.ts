import { Type as T } from 'typebox'
import { users as chat } from '../chat/users.ts'
import { closed } from '../fields.ts'
import {
  newWebchatProfile,
  WebchatUser,
  webchatProfileChanges,
} from '../models/chat/webchat-user.ts'
import { operation } from '../operation.ts'

const response = closed({ user: WebchatUser })
const headers = T.Object({ 'x-admin-secret': T.Optional(T.String()) })

export const users = {
  createUser: operation({
    ...chat.createUser,
    headers,
    body: T.Object(newWebchatProfile),
    response: closed({ user: WebchatUser, key: T.String() }),
    errors: ['Unauthorized', 'Forbidden'],
  }),
  generateUserKey: operation({
    method: 'POST',
    path: '/users/key',
    access: 'chat',
    summary: 'Create a key for an existing user',
    description: 'Requires the admin secret of the integration in `x-admin-secret`.',
    headers,
    body: T.Object({
      id: T.String(),
      expiresAt: T.Optional(
        T.Integer({
          minimum: 0,
          maximum: 8_640_000_000_000_000,
          description: 'Milliseconds since 1970. Without it, the key does not expire.',
        }),
      ),
    }),
    response: closed({ key: T.String() }),
    errors: ['Unauthorized', 'Forbidden'],
  }),
  getUser: operation({ ...chat.getUser, response }),
  updateUser: operation({
    ...chat.updateUser,
    body: T.Object(webchatProfileChanges),
    response,
    errors: ['ResourceNotFound', 'LimitExceeded'],
  }),
  deleteUser: chat.deleteUser,
}
