import { Type as T } from 'typebox'
import { participants as chat } from '../chat/participants.ts'
import { byId, closed, Meta } from '../fields.ts'
import { WebchatUser } from '../models/chat/webchat-user.ts'
import { operation } from '../operation.ts'

const all = { path: '/conversations/{id}/participants', params: byId } as const
const one = {
  path: '/conversations/{id}/participants/{userId}',
  params: T.Object({ id: T.String(), userId: T.String() }),
} as const
const response = closed({ participant: WebchatUser })

export const participants = {
  addParticipant: operation({ ...chat.addParticipant, ...all, response }),
  listParticipants: operation({
    ...chat.listParticipants,
    ...all,
    response: closed({ participants: T.Array(WebchatUser), meta: Meta }),
  }),
  getParticipant: operation({ ...chat.getParticipant, ...one, response }),
  removeParticipant: operation({ ...chat.removeParticipant, ...one }),
}
