// The data that a bot keeps between events. All data of a conversation is ONE state: position,
// variables and ids of handled events. An event is therefore either handled or not, also after a
// crash. Changes outside of the conversation (variables of the user and of the bot) are first
// recorded in this state and then written; a repeated delivery writes them again.
import { stateNames } from '../document/derived.ts'
import type { BotEvent, EventTrigger } from './event-types.ts'
import { type Json, type Platform, PlatformRejection } from './platform.ts'
import type { Frame } from './position.ts'

/** Stored state of a conversation. */
export interface ConversationMemory {
  /** Running flows; each one called the next. */
  stack: Frame[]
  variables: Json
  session: Json
  /** Ids of the last handled events. After a crash, the server may deliver several events again. */
  handled: string[]
  /**
   * The last event that failed, and the state before it, in which a redelivery begins. Without the
   * state after the conversation continued.
   */
  failed?: { event: string; before?: Json | null }
  /** Checkpoint of the current turn. A repeated turn continues from it. */
  turn?: TurnSoFar
  /** Inactivity timeout in seconds, if a card has set one. */
  inactivity?: number
  /** Timeout of the activity state in seconds. */
  activity?: number
  /** Time of the last event in milliseconds. */
  lastAt?: number
  /** The flow `conversationEnd` runs. */
  ending?: boolean
  trigger?: EventTrigger
  /** Language of the user's browser, in bots with several languages. */
  language?: string
}

export interface TurnSoFar {
  event: string
  /** Number of messages and calls so far, for their keys. */
  steps: number
  /** Values of the scope `turn`. */
  values: Json
  /** The event after the hooks. */
  heard: Pick<BotEvent, 'type' | 'payload' | 'preview' | 'tags'>
  phase?: Phase
  /** Changed variables of the user and of the bot. */
  user: Json
  bot: Json
}

export type Phase = 'starting' | 'silent'

export const keptEvents = 20

export const blank = (): ConversationMemory => ({
  stack: [],
  variables: {},
  session: {},
  handled: [],
})

type StateLocation = { type: 'conversation' | 'user' | 'bot'; id: string; name: string }

export interface Memory {
  read(location: StateLocation): Promise<Json | null>
  write(location: StateLocation, payload: object, expiryMs?: number | null): Promise<void>
  patch(location: StateLocation, payload: Json): Promise<void>
}

export function openMemory(platform: Platform): Memory {
  const toPath = ({ type, id, name }: StateLocation) =>
    `/v1/chat/states/${type}/${encodeURIComponent(id)}/${name}`
  return {
    async read(location) {
      try {
        const { state } = (await platform({ method: 'GET', path: toPath(location) })) as {
          state: { payload: Json }
        }
        return state.payload
      } catch (error) {
        if (error instanceof PlatformRejection && error.status === 404) return null
        throw error
      }
    },
    async write(location, payload, expiryMs) {
      await platform({
        method: 'POST',
        path: toPath(location),
        body: { payload, ...(expiryMs !== undefined && { expiry: expiryMs }) },
      })
    },
    async patch(location, payload) {
      await platform({ method: 'PATCH', path: toPath(location), body: { payload } })
    },
  }
}

export const stateLocations = {
  conversation: (id: string): StateLocation => ({
    type: 'conversation',
    id,
    name: stateNames.conversation,
  }),
  activity: (id: string): StateLocation => ({
    type: 'conversation',
    id,
    name: stateNames.activity,
  }),
  user: (id: string): StateLocation => ({ type: 'user', id, name: stateNames.user }),
  bot: (id: string): StateLocation => ({ type: 'bot', id, name: stateNames.bot }),
}

/** Returns changed values by name; removed ones are null. */
export function changesSince(before: Json, now: Json): Json {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, now[name] ?? null]),
  )
}
