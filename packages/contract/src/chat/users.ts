import { Type as T } from 'typebox'
import { closed, Done } from '../fields.ts'
import { ChatUser, chatProfile } from '../models/chat-user.ts'
import { operation } from '../operation.ts'

const answer = closed({ user: ChatUser })

export const users = {
  createUser: operation({
    method: 'POST',
    path: '/users',
    access: 'chat',
    summary: 'Become a user, and get the key that proves it',
    status: 201,
    body: T.Object({ ...chatProfile, id: T.Optional(T.String()) }),
    response: closed({ user: ChatUser, key: T.String() }),
    errors: ['AlreadyExists'],
  }),
  getOrCreateUser: operation({
    method: 'POST',
    path: '/users/get-or-create',
    access: 'chatUser',
    summary: 'Come back as the user whom the key names, or become that user',
    status: 201,
    body: T.Object(chatProfile),
    response: answer,
  }),
  getUser: operation({
    method: 'GET',
    path: '/users/me',
    access: 'chatUser',
    summary: 'Look up oneself',
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  updateUser: operation({
    method: 'PUT',
    path: '/users/me',
    access: 'chatUser',
    summary: 'Change what is known about oneself',
    body: T.Object(chatProfile),
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  deleteUser: operation({
    method: 'DELETE',
    path: '/users/me',
    access: 'chatUser',
    summary: 'Leave for good',
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
