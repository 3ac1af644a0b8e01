import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import {
  and,
  isBefore,
  isConversation,
  isOfBot,
  isOfEvent,
  isUser,
  mentions,
  or,
  sealedBytes,
  sealedObject,
  type Tables,
} from '../table-rules/index.ts'
import { isIssueEvent, removePersonsIssueEvents } from './issues/issue-removal.ts'

export const tables = {
  bot: {
    owner: 'derived',
    sealed: {
      signing_secret: sealedBytes(
        'signing_secret',
        (row) => `bot.signing_secret/${row.id}`,
        {
          fresh: () => randomBytes(32).toString('base64url'),
        },
      ),
      secrets: sealedObject('secrets', (row) => `bot.secrets/${row.id}`),
      retired_signing_secrets: {
        empty: "'[]'::jsonb",
        fresh: null,
        values: (row) =>
          row.retired_signing_secrets.map(({ secret }: { secret: string }) => ({
            text: secret,
            encoding: 'base64',
            location: `bot.signing_secret/${row.id}`,
          })),
      },
    },
  },
  bot_allowed_member: { owner: 'derived' },
  bot_code: { owner: 'derived' },
  bot_deployment: { owner: 'derived' },
  bot_log: {
    owner: 'derived',
    person: {
      kind: 'logs',
      step: 50,
      belongs: (person) =>
        and(
          isOfBot(person),
          or(
            isUser(person),
            isConversation(person),
            isOfEvent('event_id', person),
            mentions(sql`t.message`, person),
          ),
        ),
    },
    retention: { kind: 'logs', step: 60, old: isBefore('at') },
  },
  issue: {
    owner: 'derived',
    plainBytes: ['fingerprint'],
    person: {
      kind: 'issues',
      step: 90,
      isDerived: true,
      belongs: (person) =>
        and(
          isOfBot(person),
          sql`t.id in (select t.issue_id from issue_event t where ${isOfBot(person)}
          group by t.issue_id having bool_and(${isIssueEvent(person)}))`,
        ),
    },
    retention: { kind: 'issues', step: 110, old: isBefore('last_seen_at') },
  },
  issue_event: {
    owner: 'derived',
    person: {
      kind: 'issueEvents',
      step: 80,
      belongs: (person) => and(isOfBot(person), isIssueEvent(person)),
      remove: removePersonsIssueEvents,
    },
  },
} satisfies Tables
