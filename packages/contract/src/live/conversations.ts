import { Type as T } from 'typebox'
import { byId, closed, Done, Timestamp } from '../fields.ts'
import { operation } from '../operation.ts'
import { Assignee } from './signals.ts'

export const conversations = {
  stopAnswer: operation({
    method: 'POST',
    path: '/conversations/{id}/stop',
    access: 'chatUser',
    summary: 'Stop the running answer',
    description:
      "Ends the bot's code and its calls of models. Listeners receive an event of the type " +
      '`botstead:stopped`. `stopped` is false if no answer is due.',
    params: byId,
    body: closed({}),
    response: closed({ stopped: T.Boolean() }),
    errors: ['Forbidden'],
  }),
  setTyping: operation({
    method: 'POST',
    path: '/conversations/{id}/typing',
    access: 'chatUser',
    summary: 'Show that the caller writes',
    description:
      'Listeners receive `typing_started` or `typing_stopped`. Nothing is stored.',
    params: byId,
    body: closed({ isTyping: T.Boolean() }),
    response: Done,
    errors: ['Forbidden'],
  }),
  setReceipt: operation({
    method: 'PUT',
    path: '/conversations/{id}/receipts',
    access: 'chatUser',
    summary: 'Set delivered and read messages',
    description:
      'The caller has received the messages up to this one; with `isRead`, they were visible. The ' +
      'position only moves forward. Clients report messages of people who answer.',
    params: byId,
    body: closed({ messageId: T.String(), isRead: T.Boolean() }),
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden'],
  }),
  getReceipts: operation({
    method: 'GET',
    path: '/conversations/{id}/receipts',
    access: 'chatUser',
    summary: 'Get how far messages were read',
    description:
      '`own`: by the caller. `person`: by the people who answer in place of the bot; listeners ' +
      'receive `messages_read` when this changes. Messages up to these times are meant. ' +
      '`returnedAt`: when they returned the conversation to the bot, oldest first. `isHandedOver`: ' +
      'whether a person answers, or should; `assignee`: the person who took the conversation. ' +
      'Listeners receive `handoff_opened`, `handoff_assigned` and `handoff_closed`.',
    params: byId,
    response: closed({
      own: closed({
        deliveredUntil: T.Optional(Timestamp),
        readUntil: T.Optional(Timestamp),
      }),
      person: closed({
        readUntil: T.Optional(Timestamp),
        returnedAt: T.Optional(T.Array(Timestamp)),
        isHandedOver: T.Boolean(),
        assignee: T.Optional(Assignee),
      }),
    }),
    errors: ['Forbidden'],
  }),
}
