import { Type as T } from 'typebox'
import { byId, closed, Done } from '../fields.ts'
import { operation } from '../operation.ts'

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
    description: 'Listeners receive `typing_started` or `typing_stopped`. Nothing is stored.',
    params: byId,
    body: closed({ isTyping: T.Boolean() }),
    response: Done,
    errors: ['Forbidden'],
  }),
}
