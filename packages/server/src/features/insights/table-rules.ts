import { sql } from 'kysely'
import { earliestId } from '../../core/lib/index.ts'
import {
  type Age,
  and,
  isBefore,
  isConversation,
  isOfBot,
  isOfEvent,
  isOfUserConversationOrEvent,
  type Tables,
} from '../../core/table-rules/index.ts'

/** For tables without an index of the time: their ids begin with it. */
const isBeforeById = (kind: 'eventTrace' | 'actionRun', column: string) => (age: Age) =>
  sql`${isBefore(column)(age)} and t.id < ${earliestId(kind, age.at.getTime())}`

export const tables = {
  action_run: {
    owner: 'derived',
    person: {
      kind: 'actionRuns',
      step: 40,
      belongs: (person) => and(isOfBot(person), isOfEvent('cause', person)),
    },
    retention: {
      kind: 'traces',
      step: 100,
      old: isBeforeById('actionRun', 'started_at'),
    },
  },
  analytics_count: { owner: 'derived' },
  analytics_day: { owner: 'derived' },
  analytics_progress: { owner: 'derived' },
  event_trace: {
    owner: 'derived',
    person: {
      kind: 'traces',
      step: 10,
      belongs: (person) => and(isOfBot(person), isOfEvent('event_id', person)),
    },
    retention: {
      kind: 'traces',
      step: 90,
      old: isBeforeById('eventTrace', 'created_at'),
    },
  },
  flow_conversation_day: {
    owner: 'derived',
    // Of the traces, which are in the export.
    person: {
      kind: 'traces',
      step: 75,
      belongs: (person) => and(isOfBot(person), isConversation(person)),
      isDerived: true,
    },
  },
  flow_node_day: { owner: 'derived' },
  flow_progress: { owner: 'derived' },
  observation: {
    owner: 'derived',
    person: { kind: 'observations', step: 70, belongs: isOfUserConversationOrEvent },
    retention: { kind: 'traces', step: 80, old: isBefore('created_at') },
  },
} satisfies Tables
