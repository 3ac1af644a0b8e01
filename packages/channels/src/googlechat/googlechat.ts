// Google Chat, by an app with an HTTP endpoint.
import { type Channel, ChannelError } from '../channel.ts'
import { isAtProvider } from '../guide.ts'
import { call } from './api.ts'
import { toArrivals } from './arrivals.ts'
import { readEvent } from './requests.ts'
import { toParts } from './sending.ts'
import { findEmail } from './service-account.ts'

/** A bot may know the name of a space, or of a thread, only. Throws ChannelError ("rejected"). */
function readPlace({
  id = '',
  ...tags
}: Record<string, string>): [string, string | undefined] {
  const space = /^spaces\/[\w-]+$/.exec(tags.space ?? id.split('/threads/')[0] ?? '')?.[0]
  if (!space)
    throw new ChannelError(
      'rejected',
      'The conversation has no name of a space in its tag `id`',
    )
  return [space, tags.thread ?? (id.includes('/threads/') ? id : undefined)]
}

export const googleChatChannel: Channel = {
  toAccount: findEmail,

  needsPublicAddress: isAtProvider,

  /** The endpoint can be set only at Google. */
  async check(context) {
    await call(context, '/v1/spaces?pageSize=1')
    return { name: findEmail(context.configuration) }
  },

  async receive(context, request) {
    const arrivals = await toArrivals(context, await readEvent(context, request))
    // Google Chat shows an error to the person unless it gets an object.
    const headers = { 'content-type': 'application/json' }
    return { arrivals, response: { status: 200, headers, body: '{}' } }
  },

  async *send(context, { conversation: { tags }, sentParts, ...message }) {
    const [space, thread] = readPlace(tags)
    const parts = await toParts(message)
    for (const [i, part] of parts.entries()) {
      if (i < sentParts) continue
      // With the same id, Google Chat does not show a repeated message again.
      const query = new URLSearchParams({ requestId: `botstead-${message.id}-${i}` })
      if (thread) query.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
      const body = { ...part, ...(thread && { thread: { name: thread } }) }
      const { name } = await call(context, `/v1/${space}/messages?${query}`, body)
      yield {
        tags: {
          ...(typeof name === 'string' && { id: name }),
          ...(thread && { thread }),
        },
      }
    }
  },
}
