// Checks tags against the declarations of the bot, or of the integration for one of its channels.

import { botDeclarations } from '../../bots/index.ts'
import { findDeclaration } from '../../catalog/index.ts'
import type { Db } from '../../db/index.ts'
import { rejectUndeclared, type TagChange, type Viewer } from '../tags/tags.ts'

/**
 * Throws InvalidPayload. `channel` is for conversations and messages. Skips the query when no tag
 * is set.
 */
export async function checkDeclared(
  db: Db,
  botId: string,
  viewer: Viewer,
  change: TagChange,
  kind: 'user' | 'conversation' | 'message',
  channel = '',
) {
  if (Object.keys(change.set).length === 0) return
  const path =
    viewer === null || kind === 'user'
      ? [kind, 'tags']
      : ['channels', channel, kind, 'tags']
  const declared =
    viewer === null
      ? await botDeclarations.find(db, botId, path)
      : (await findDeclaration(db, botId, viewer, path))?.declared
  rejectUndeclared(change, listKeys(declared), viewer)
}

/**
 * Returns a function that maps a channel to the tags that its messages may have, or null where any
 * name is allowed. One round trip for any number of messages.
 */
export async function declaredMessageTags(
  db: Db,
  botId: string,
  viewer: Viewer,
): Promise<(channel: string) => string[] | null> {
  if (viewer === null) {
    const declared = listKeys(await botDeclarations.find(db, botId, ['message', 'tags']))
    return () => declared
  }
  const channels = (await findDeclaration(db, botId, viewer, ['channels']))?.declared
  return (channel) => listKeys(at(at(at(channels, channel), 'message'), 'tags'))
}

const at = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

const listKeys = (declared: unknown) =>
  isObject(declared) ? Object.keys(declared) : null

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null
