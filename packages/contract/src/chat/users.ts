import { Type as T } from 'typebox'
import { closed, Done } from '../fields.ts'
import { ChatUser, chatProfile } from '../models/chat/chat-user.ts'
import { operation } from '../operation.ts'

const response = closed({ user: ChatUser })

export const users = {
  createUser: operation({
    method: 'POST',
    path: '/users',
    access: 'chat',
    summary: 'Create a user and return its key',
    status: 201,
    body: T.Object({ ...chatProfile, id: T.Optional(T.String()) }),
    response: closed({ user: ChatUser, key: T.String() }),
    errors: ['AlreadyExists'],
  }),
  getOrCreateUser: operation({
    method: 'POST',
    path: '/users/get-or-create',
    access: 'chatUser',
    summary: 'Get or create the user of the key',
    status: 201,
    body: T.Object(chatProfile),
    response,
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
    body: T.Object(chatProfile),
    response,
    errors: ['ResourceNotFound'],
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
