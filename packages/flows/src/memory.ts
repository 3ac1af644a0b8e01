// What a bot remembers between two events, and how it comes back after a crash. All that belongs to a conversation is ONE state: where it stands, its variables,
// and which events it has handled. So an event has either been handled, or not; and what it changes elsewhere (variables of the user and of the bot, which
// other conversations have, too) is written down there first, and done afterwards: again, if the event is told again.
import { stateNames } from './derived.ts'
import type { BotEvent, EventTrigger } from './event.ts'
import { type Json, type Platform, Refused } from './platform.ts'
import type { Frame } from './position.ts'
import type { Phase } from './turn.ts'

/** The state of a conversation, as it is stored. */
export interface Remembered {
  /** The flows that are running, each called by the one before. */
  stack: Frame[]
  variables: Json
  session: Json
  /** Ids of the last events that were handled. The server may tell again more than the last one, when it was killed itself. */
  handled: string[]
  /** The turn that is being taken, as far as it has come: what it did until here it does not do again. */
  turn?: TurnSoFar
  /** Seconds of silence that end it, where a card has said so. */
  inactivity?: number
  /** What the activity state was set to. */
  activity?: number
  /** When it last heard anything: milliseconds. */
  lastAt?: number
  /** Its last flow is running. */
  ending?: boolean
  trigger?: EventTrigger
}

export interface TurnSoFar {
  event: string
  /** Messages and calls that have had their keys. */
  steps: number
  /** The scope `turn`. */
  values: Json
  /** The event as hooks have left it. */
  heard: Pick<BotEvent, 'type' | 'payload' | 'preview' | 'tags'>
  phase?: Phase
  /** Changes of variables that are not the conversation's. */
  user: Json
  bot: Json
}

export const keptEvents = 20

export const blank = (): Remembered => ({ stack: [], variables: {}, session: {}, handled: [] })

type Place = { type: 'conversation' | 'user' | 'bot'; id: string; name: string }

export interface Memory {
  read(place: Place): Promise<Json | null>
  write(place: Place, payload: object, expiryMs?: number | null): Promise<void>
  patch(place: Place, payload: Json): Promise<void>
}

export function openMemory(platform: Platform): Memory {
  const pathOf = ({ type, id, name }: Place) => `/v1/chat/states/${type}/${encodeURIComponent(id)}/${name}`
  return {
    async read(place) {
      try {
        const { state } = (await platform({ method: 'GET', path: pathOf(place) })) as {
          state: { payload: Json }
        }
        return state.payload
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null
        throw error
      }
    },
    async write(place, payload, expiryMs) {
      await platform({
        method: 'POST',
        path: pathOf(place),
        body: { payload, ...(expiryMs !== undefined && { expiry: expiryMs }) },
      })
    },
    async patch(place, payload) {
      await platform({ method: 'PATCH', path: pathOf(place), body: { payload } })
    },
  }
}

export const places = {
  conversation: (id: string): Place => ({ type: 'conversation', id, name: stateNames.conversation }),
  activity: (id: string): Place => ({ type: 'conversation', id, name: stateNames.activity }),
  user: (id: string): Place => ({ type: 'user', id, name: stateNames.user }),
  bot: (id: string): Place => ({ type: 'bot', id, name: stateNames.bot }),
}

/** What has changed since; what is gone is null. */
export function changesSince(before: Json, now: Json): Json {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, now[name] ?? null]),
  )
}
