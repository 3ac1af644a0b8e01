// Rooms: invitations, and the one thing that the bot says about encryption.
import { createHash } from 'node:crypto'
import { ChannelError, type Context } from '../channel.ts'
import { call, toPath } from './api.ts'

/** An invitation that the homeserver cannot follow, such as into a deleted room, holds up nothing. */
export async function join(context: Context, roomId: string): Promise<void> {
  await call(context, toPath('join', roomId), { body: {}, timeoutMs: 20_000 }).catch(
    (error) => {
      if (!(error instanceof ChannelError) || error.kind === 'limited') throw error
    },
  )
}

const explained = new Set<string>()
const maxExplained = 10_000

/** Says once in a room that the bot cannot read it; the homeserver keeps that it did. */
export async function explainEncryption(
  context: Context,
  ownId: string,
  roomId: string,
): Promise<void> {
  if (explained.has(`${ownId} ${roomId}`)) return
  const path = toPath(
    'user',
    ownId,
    'rooms',
    roomId,
    'account_data',
    'botstead.encryption',
  )
  const known = await unlessRejected(call(context, path))
  if (known.isExplained !== true) {
    await sayEncrypted(context, roomId)
    await unlessRejected(
      call(context, path, { method: 'PUT', body: { isExplained: true } }),
    )
  }
  explained.add(`${ownId} ${roomId}`)
  const [oldest] = explained
  if (explained.size > maxExplained && oldest) explained.delete(oldest)
}

async function sayEncrypted(context: Context, roomId: string): Promise<void> {
  const body = {
    msgtype: 'm.notice',
    body: 'I cannot read encrypted rooms. Please write to me in a room without encryption.',
  }
  const id = createHash('sha256').update(roomId).digest('base64url')
  const path = toPath('rooms', roomId, 'send', 'm.room.message', `encryption-${id}`)
  await unlessRejected(call(context, path, { method: 'PUT', body }))
}

/** The bot may have lost its rights in the room, which holds up nothing. */
const unlessRejected = (calling: Promise<Record<string, unknown>>) =>
  calling.catch((error): Record<string, unknown> => {
    if (error instanceof ChannelError && error.kind === 'rejected') return {}
    throw error
  })
