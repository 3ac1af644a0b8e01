import { Type as T } from 'typebox'
import { closed, Done } from '../fields.ts'
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
    method: 'POST',
    path: '/users',
    access: 'chat',
    summary: 'Create a user and return its key',
    status: 201,
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
  getUser: operation({
    method: 'GET',
    path: '/users/me',
    access: 'chatUser',
    summary: 'Get the caller',
    response,
    errors: ['ResourceNotFound'],
  }),
  updateUser: operation({
    method: 'PUT',
    path: '/users/me',
    access: 'chatUser',
    summary: 'Update the caller',
    body: T.Object(webchatProfileChanges),
    response,
    errors: ['ResourceNotFound', 'LimitExceeded'],
  }),
  deleteUser: operation({
    method: 'DELETE',
    path: '/users/me',
    access: 'chatUser',
    summary: 'Delete the caller',
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
