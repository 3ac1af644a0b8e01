import { ApiError, type Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  EventStream,
  type HttpServices,
  isVisibleBot,
} from '../../../http/index.ts'
import { LiveStream } from '../../live-stream.ts'
import type { RealtimeServices } from '../../services.ts'

const operation = platform.liveUpdates.listenToWorkspace

/** Streams of one person on one server. */
const maxPerAccount = 100

export const liveUpdates: Handlers<
  typeof platform.liveUpdates,
  Contexts<HttpServices & RealtimeServices>
> = {
  async listenToWorkspace({ services, caller, request, reply }, { query: filter }) {
    const { botId } = filter
    if (botId !== undefined && !(await isVisibleBot(services, caller, botId)))
      throw new ApiError('ResourceNotFound', `Bot "${botId}" was not found`)
    if (
      services.changeFeed.countOf(caller.workspaceId, caller.accountId) >= maxPerAccount
    )
      throw new ApiError(
        'RateLimited',
        `Close some of your ${maxPerAccount} live streams first`,
      )
    const stream = new EventStream(request, reply)
    const follower = new LiveStream(
      { services, operation, request, filter },
      caller,
      stream,
    )
    const { 'last-event-id': lastEventId } = request.headers
    const { position, missed, stop } = services.changeFeed.follow(
      caller.workspaceId,
      typeof lastEventId === 'string' ? lastEventId : undefined,
      follower,
    )
    follower.begin(position, missed)
    void stream.closed.then(stop)
    return undefined as never
  },
}
