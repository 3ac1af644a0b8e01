import type { Archive, Handlers, platform } from '@botstead/contract'
import {
  type Context,
  type Contexts,
  creationPosition,
  getOrigin,
  type PagedQuery,
  type PageRequest,
  parsePage,
  type Services,
  timePosition,
  toListPage,
} from '../../../../core/http/index.ts'
import {
  type ArchiveJob,
  type ArchiveOwner,
  createArchiveJob,
  deleteArchiveJob,
  findArchiveJob,
  listArchiveJobs,
} from '../../archive-jobs.ts'
import { toFileLink } from '../../file-links.ts'
import { archiveFileName } from '../../job-runner.ts'
import type { ArchiveServices } from '../../services.ts'

const ownedBy = ({ workspaceId }: { workspaceId: string }): ArchiveOwner => ({
  kind: 'archive',
  workspaceId,
})

export const archives: Handlers<typeof platform.archives, Contexts<ArchiveServices>> = {
  async listArchives({ services, caller }, { query }) {
    const owner = ownedBy(caller)
    const { items, meta } = await listJobs(
      services,
      owner,
      pageOfJobs(services, owner, query),
    )
    return { archives: items, meta }
  },

  async createArchive({ services, caller }, { body: { passphrase } }) {
    const owner = ownedBy(caller)
    const hasSecrets = passphrase !== null
    const request = { accountId: caller.accountId, hasSecrets, passphrase }
    return { archive: await startJob(services, owner, request) }
  },

  createArchiveLink: (context, { params }) =>
    linkTo(context, ownedBy(context.caller), params.id),

  async deleteArchive({ services, caller }, { params }) {
    await deleteJob(services, ownedBy(caller), params.id)
    return {}
  },
}

export const pageOfJobs = (services: Services, owner: ArchiveOwner, query: PagedQuery) =>
  parsePage(services, ['platform', owner.kind, owner.workspaceId ?? ''], query)

export async function listJobs(
  services: Services,
  owner: ArchiveOwner,
  page: PageRequest<string[]>,
) {
  const rows = await listArchiveJobs(services.database, owner, {
    after: timePosition(page.position),
    limit: page.limit + 1,
  })
  const { items, meta } = toListPage(page, rows, creationPosition)
  return { items: items.map(toArchive), meta }
}

interface JobRequest {
  accountId: string
  hasSecrets: boolean
  passphrase: string | null
}

/** Files of a workspace, or of backups. */
const maxKept = { archive: 10, backup: 1_000 }

export async function startJob(
  services: Services & ArchiveServices,
  owner: ArchiveOwner,
  { accountId, hasSecrets, passphrase }: JobRequest,
): Promise<Archive> {
  const { database, archives } = services
  const job = await createArchiveJob(database, {
    ...owner,
    hasSecrets,
    accountId,
    worker: archives.workerId(),
    maxKept: maxKept[owner.kind],
    fileName: archiveFileName(owner.kind, owner.workspaceId),
  })
  await services.afterCommit(async ({ archives }) => archives.start(job, passphrase))
  return toArchive(job)
}

export async function linkTo(
  context: Pick<Context<unknown, ArchiveServices>, 'services' | 'request'>,
  owner: ArchiveOwner,
  id: string,
) {
  const { database, archives, secrets } = context.services
  await archives.sizeOf(await findArchiveJob(database, owner, id))
  return toFileLink(secrets, getOrigin(context), { ...owner, id })
}

export async function deleteJob(
  services: Services & ArchiveServices,
  owner: ArchiveOwner,
  id: string,
) {
  await deleteArchiveJob(services.database, owner, id)
  await services.afterCommit(({ archives }) => archives.sweep())
}

function toState({ ended_at, failure }: ArchiveJob): Archive['state'] {
  if (ended_at === null) return 'running'
  return failure === null ? 'done' : 'failed'
}

const toArchive = (job: ArchiveJob): Archive => ({
  id: job.id,
  fileName: job.file_name,
  progress: job.progress,
  bytes: Number(job.bytes),
  hasSecrets: job.has_secrets,
  createdBy: job.created_by,
  state: toState(job),
  ...(job.failure !== null && { failure: job.failure }),
  createdAt: job.created_at.toISOString(),
  ...(job.ended_at && { endedAt: job.ended_at.toISOString() }),
})
