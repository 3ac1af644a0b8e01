import { sql } from 'kysely'
import { hasHash } from '../db/index.ts'
import {
  and,
  isBefore,
  isConversation,
  isOfBot,
  isOfUserOrConversation,
  isUser,
  mentions,
  or,
  type Person,
  type Tables,
} from '../table-rules/index.ts'
import { isIdleConversation, isIdleUser, isOldConversation } from './idle.ts'
import {
  isRemovable,
  removeOldMessages,
  removePersonsMessages,
} from './messages/history-removal.ts'
import { removeConversations, removePersonsEvents } from './removal.ts'

const progress = { leftOut: 'describes the progress of a background task' }

const isSignalAbout = ({ userId, shownId }: Person) => {
  const ids = sql`(${userId}::text, ${shownId}::text)`
  return or(sql`t.data ->> 'userId' in ${ids}`, sql`t.data ->> 'participantId' in ${ids}`)
}

export const tables = {
  conversation: {
    owner: 'derived',
    person: {
      kind: 'conversations',
      step: 260,
      belongs: (person) =>
        and(isOfBot(person), sql`t.id = any(${person.conversations}::text[])`),
    },
    retention: {
      kind: 'conversations',
      step: 10,
      old: isOldConversation,
      isFree: isIdleConversation,
      walk: 'updated_slot',
      size: 50, // each has many rows
      remove: removeConversations,
    },
  },
  event: {
    owner: 'derived',
    person: {
      kind: 'events',
      step: 240,
      belongs: (person) =>
        and(
          isOfBot(person),
          or(
            isConversation(person),
            and(hasHash(sql`t.user_id`, sql`${person.userId}::text`), isUser(person)),
          ),
        ),
      remove: removePersonsEvents,
    },
    retention: {
      kind: 'events',
      step: 30,
      old: ({ botId, at }) => isRemovable('event', botId, at),
      order: sql`order by t.id`,
    },
  },
  message: {
    owner: 'derived',
    person: {
      kind: 'messages',
      step: 250,
      belongs: isOfUserOrConversation,
      walk: { byIndex: isConversation, finds: isUser, key: 'id', through: 'message' },
      remove: removePersonsMessages,
    },
    retention: {
      kind: 'messages',
      step: 20,
      old: ({ botId, at }) => isRemovable('message', botId, at),
      order: sql`order by t.id`,
      remove: removeOldMessages,
    },
  },
  message_feedback: {
    owner: 'derived',
    person: { kind: 'feedback', step: 150, belongs: isOfUserOrConversation },
  },
  message_search: {
    owner: { leftOut: 'is derived from messages in the background' },
    person: { none: 'is deleted with its message' },
  },
  message_search_fill: { owner: progress },
  message_search_progress: { owner: progress },
  message_search_refill: { owner: progress },
  participant: {
    owner: 'derived',
    person: { none: 'is deleted with its user or conversation' },
  },
  recurring_event: { owner: 'derived' },
  scheduled_message: {
    owner: 'derived',
    person: { kind: 'scheduledMessages', step: 180, belongs: isOfUserOrConversation },
  },
  signal: {
    owner: 'derived',
    person: {
      kind: 'signals',
      step: 230,
      isDerived: true,
      belongs: (person) =>
        and(isOfBot(person), or(isConversation(person), isSignalAbout(person))),
      walk: {
        byIndex: isConversation,
        finds: isSignalAbout,
        key: 'conversation_id',
        through: 'conversation',
      },
    },
  },
  tag_value: {
    owner: { leftOut: 'is derived from tagged rows by the database' },
    person: { none: 'is deleted with its user, conversation or message' },
  },
  told_change: {
    owner: 'derived',
    person: {
      kind: 'notifications',
      step: 110,
      belongs: (person) => and(isOfBot(person), mentions(sql`t.body::text`, person)),
    },
  },
  user: {
    owner: 'derived',
    person: {
      kind: 'users',
      step: 270,
      belongs: (person) => and(isOfBot(person), sql`t.id = ${person.userId}`),
    },
    retention: {
      kind: 'users',
      step: 40,
      old: isBefore('updated_at'),
      isFree: isIdleUser,
      walk: 'updated_at',
    },
  },
} satisfies Tables
