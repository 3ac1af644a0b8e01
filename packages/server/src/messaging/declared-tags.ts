// Which tags may be set: those that the bot, or the integration for one of its channels, declares.
import { findBotDeclaration } from '../bots/declarations.ts'
import type { Db } from '../db/open.ts'
import { findDeclaration } from '../integrations/declarations.ts'
import { refuseUndeclared, type TagChange, type Viewer } from './tags.ts'

/** Throws InvalidPayload. `channel` for conversations and messages. Asks nothing when nothing is set. */
export async function checkDeclared(db: Db, botId: string, viewer: Viewer, change: TagChange, kind: 'user' | 'conversation' | 'message', channel = '') {
  if (Object.keys(change.set).length === 0) return
  const path = viewer === null || kind === 'user' ? [kind, 'tags'] : ['channels', channel, kind, 'tags']
  const declared = viewer === null ? await findBotDeclaration(db, botId, path) : (await findDeclaration(db, botId, viewer, path))?.declared
  refuseUndeclared(change, isObject(declared) ? Object.keys(declared) : null, viewer)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
