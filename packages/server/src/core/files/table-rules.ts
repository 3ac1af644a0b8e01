import { sql } from 'kysely'
import { and, isBefore, isOfBot, or, type Tables } from '../table-rules/index.ts'
import { isFormerInboxFile, isInboxFile } from './inbox-files.ts'

export const tables = {
  file: {
    owner: 'derived',
    person: {
      kind: 'files',
      step: 210,
      belongs: (person) =>
        and(
          isOfBot(person),
          or(
            and(
              sql`t.owner ->> 'type' = 'user'`,
              sql`t.owner ->> 'id' = ${person.userId}`,
            ),
            isInboxFile(person),
            isFormerInboxFile(person),
          ),
        ),
    },
    retention: {
      kind: 'files',
      step: 50,
      old: (age) => sql`${isBefore('updated_at')(age)} and t.owner ->> 'type' = 'user'`,
      isFree: () => sql`t.upload_until is null and t.indexing_worker is null`,
      walk: 'updated_at',
    },
  },
  file_tag: {
    owner: { leftOut: 'is derived from files by the database' },
    person: { none: 'is deleted with its file' },
  },
  loose_blob: { owner: { leftOut: 'is content without a file' } },
} satisfies Tables
