// Opens the archives of workspaces, the scheduled backups, and the moves of workspaces.
import { join } from 'node:path'
import { workspaceStore } from '../../core/accounts/index.ts'
import type { Config } from '../../core/config/index.ts'
import type { ConnectionSettings } from '../../core/db/index.ts'
import { openBucket } from '../../core/files/index.ts'
import { type DiskWatch, diskSpace, version } from '../../core/installation/index.ts'
import type { ChangeFeed } from '../../core/realtime/index.ts'
import type { ArchiveJob } from './archive-jobs.ts'
import {
  type ScheduledBackups,
  startScheduledBackups,
} from './backups/scheduled-backups.ts'
import { verifyBackupFile } from './backups/verification.ts'
import { type ArchiveRunner, startArchiveRunner } from './job-runner.ts'
import { type MoveDeps, openMoves } from './moves/moves.ts'
import type { ArchiveServices } from './services.ts'

interface Deps extends MoveDeps {
  config: Config
  connection: ConnectionSettings
  masterKey: Buffer
  changeFeed: Pick<ChangeFeed, 'publish'>
  disk: Pick<DiskWatch, 'isFull'>
  /** When the schedule of the backups was set in the dashboard. */
  backupsSetAt: () => Date | null
}

interface Archives {
  services: ArchiveServices
  backups: ScheduledBackups
  /** The runner ends a running backup, for which the schedule waits. */
  stop(): Promise<void>
}

export async function openArchives(deps: Deps): Promise<Archives> {
  const archives = startRunner(deps)
  const backups = await startBackups(deps, archives)
  const moves = await openMoves(deps)
  return {
    services: { archives, relocations: moves.relocations },
    backups,
    stop: async () =>
      void (await Promise.all([archives.stop(), backups.stop(), moves.stop()])),
  }
}

const startRunner = (deps: Deps): ArchiveRunner =>
  startArchiveRunner({
    ...deps,
    version,
    isDiskFull: deps.disk.isFull,
    workerId: () => deps.worker.id,
    folder: deps.config.backupFolder ?? join(deps.config.dataFolder, 'backups'),
    onChange: (job) => noteChange(deps, job),
  })

/** Notes the changes of archives for open pages. Backups belong to the first workspace. */
async function noteChange(
  { database, changeFeed }: Deps,
  { id, workspace_id: owner }: ArchiveJob,
) {
  const workspaceId = owner ?? (await workspaceStore.findFirstId(database.db))
  if (workspaceId) changeFeed.publish({ topic: 'archives', workspaceId, id })
}

async function startBackups(
  deps: Deps,
  runner: ArchiveRunner,
): Promise<ScheduledBackups> {
  const { config } = deps
  const bucket = config.backupBucket && (await openBucket(config.backupBucket))
  // The embedded database is on the disk of the data folder; the space of another is unknown.
  const hasSpaceFor = async (bytes: number) => {
    if (config.databaseUrl !== null) return true
    const { freeBytes, totalBytes } = await diskSpace.read(config.dataFolder)
    return !diskSpace.isFull({ freeBytes: freeBytes - bytes, totalBytes })
  }
  return startScheduledBackups({
    ...deps,
    runner,
    bucket,
    getPlan: () => ({
      schedule: config.backupSchedule,
      keep: config.backupKeep,
      verifies: config.backupVerify,
      setAt: deps.backupsSetAt(),
    }),
    verify: (file) => verifyBackupFile({ ...deps, hasSpaceFor }, file),
  })
}
