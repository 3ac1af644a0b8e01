import type { Handlers, platform } from '@botstead/contract'
import { operators } from '../../../../core/accounts/index.ts'
import type { Contexts, HttpServices } from '../../../../core/http/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import type { BackupState } from '../../../archive/index.ts'
import type { OperatorServices } from '../../services.ts'

export const installation: Handlers<
  typeof platform.installation,
  Contexts<HttpServices & OperatorServices & QueueServices>
> = {
  async getInstallationState({ services, caller }) {
    await operators.require(services, caller)
    const [state, depth] = await Promise.all([
      services.installation.read(),
      services.queueDepth(),
    ])
    return {
      servers: state.servers.map(
        ({ id, host, pid, is_alive, started_at, alive_until }) => ({
          id,
          host,
          pid,
          isAlive: is_alive,
          startedAt: started_at.toISOString(),
          aliveUntil: alive_until.toISOString(),
        }),
      ),
      ...(depth && {
        queue: {
          pending: depth.waiting,
          lanes: depth.lanes,
          oldestSeconds: depth.oldestSeconds,
          deadLetters: depth.dead,
        },
      }),
      database: { bytes: state.databaseBytes, tables: state.tables },
      backups: toBackupState(state.backups),
      settings: state.settings,
    }
  },

  async checkInstallation({ services, caller }) {
    await operators.require(services, caller)
    const findings = await services.installation.check()
    return {
      findings: findings.map(({ about, what, state, advice }) => ({
        about,
        text: what,
        state,
        ...(advice !== undefined && { advice }),
      })),
    }
  },
}

const toBackupState = ({ failure, ...state }: BackupState) => ({
  schedule: state.schedule,
  lastSuccessAt: state.lastSuccessAt?.toISOString() ?? null,
  lastVerifiedAt: state.lastVerifiedAt?.toISOString() ?? null,
  nextAt: state.nextAt?.toISOString() ?? null,
  failure: failure && { at: failure.at.toISOString(), reason: failure.reason },
  isOverdue: state.isOverdue,
})
