import { Type as T } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'
import { operation } from '../../operation.ts'

const bytes = T.Number({ minimum: 0 })
const count = T.Integer({ minimum: 0 })

const Server = closed({
  id: T.String(),
  host: T.String(),
  pid: T.Integer(),
  startedAt: Timestamp,
  /** The end of its lease. */
  aliveUntil: Timestamp,
  isAlive: T.Boolean(),
})

/** For owners of the installation's first workspace. */
export const installation = {
  getInstallationState: operation({
    method: 'GET',
    path: '/v1/platform/installation',
    access: 'account',
    summary: 'Get the state of the installation',
    description:
      "For owners of the first workspace. Secrets among the settings are only 'set' or null. The " +
      'numbers of rows are estimates, null until the database has counted them.',
    response: closed({
      servers: T.Array(Server),
      /** Absent while the database is too slow to count. */
      queue: T.Optional(
        closed({
          pending: count,
          lanes: count,
          oldestSeconds: T.Number(),
          deadLetters: count,
        }),
      ),
      database: closed({
        bytes,
        tables: T.Array(closed({ name: T.String(), bytes, rows: nullable(T.Number()) })),
      }),
      backups: closed({
        /** Five cron fields, in UTC. */
        schedule: nullable(T.String()),
        lastSuccessAt: nullable(Timestamp),
        /** When the newest verified backup was restored into a temporary database. */
        lastVerifiedAt: nullable(Timestamp),
        nextAt: nullable(Timestamp),
        /** Of the newest backup that ended. */
        failure: nullable(closed({ at: Timestamp, reason: T.String() })),
        /** The newest complete backup is older than two periods of the schedule. */
        isOverdue: T.Boolean(),
      }),
      settings: T.Array(closed({ name: T.String(), value: nullable(T.String()) })),
    }),
    errors: ['Forbidden'],
  }),
  checkInstallation: operation({
    method: 'GET',
    path: '/v1/platform/installation/checks',
    access: 'account',
    summary: 'Check the installation, as the doctor does',
    description: 'For owners of the first workspace. The checks take some seconds.',
    response: closed({
      findings: T.Array(
        closed({
          about: T.String(),
          text: T.String(),
          state: T.Enum(['good', 'bad', 'advice']),
          advice: T.Optional(T.String()),
        }),
      ),
    }),
    errors: ['Forbidden'],
  }),
}
