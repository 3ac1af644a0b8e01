import { Type as T } from 'typebox'
import { ChangeNote, topics } from '../../models/bots/change-note.ts'
import { operation } from '../../operation.ts'

export const liveUpdates = {
  listenToWorkspace: operation({
    method: 'GET',
    path: '/v1/platform/live',
    access: 'workspace',
    permission: 'bots.list',
    summary: 'Stream notes of changes in the workspace',
    description:
      'Each frame is a note that something has changed; read the changed data with other ' +
      'operations. The first note is `ready` or `reset`. With `Last-Event-ID`, the stream continues ' +
      'after that note, or begins with `reset` if that is no longer possible. Frequent changes of one ' +
      'topic and bot share notes. The stream ends when the caller loses access.',
    query: T.Object({
      botId: T.Optional(T.String()),
      topics: T.Optional(T.Array(T.Enum(topics), { maxItems: 50 })),
    }),
    response: ChangeNote,
    errors: ['ResourceNotFound', 'InvalidQuery', 'RateLimited'],
    stream: true,
  }),
}
