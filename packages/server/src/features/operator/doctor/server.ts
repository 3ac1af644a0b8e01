// Checks the running server (its health report), its backups, and the network of hosted code.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Health, Output, platform } from '@botstead/contract'
import { startCommand } from '@botstead/lib'
import type { Section } from '../../../core/config/index.ts'
import { otherWorkspacesRejected } from '../../../core/delivery/index.ts'
import type { Credentials } from '../../../core/installation/index.ts'
import { type DoctorCheck, type Finding, finding } from './finding.ts'

export async function examineServer({
  dataFolder,
}: Section<'storage'>): Promise<Finding[]> {
  const stored = await readFile(join(dataFolder, 'credentials.json'), 'utf8').then(
    (text) => JSON.parse(text) as Partial<Credentials>,
    () => null,
  )
  const health = stored?.url && (await fetchHealth(stored.url, stored.token ?? ''))
  if (!health)
    return [
      finding(
        'server',
        'is not running',
        false,
        `start it with "${startCommand}" for more checks`,
        'advice',
      ),
    ]
  const { ready, troubles, sandbox, version } = health
  // Only an owner of the first workspace gets these, and the account may have lost that role.
  const name = version === undefined ? 'Botstead' : `Botstead ${version}`
  return [
    finding(
      'server',
      ready ? `${name} is ready` : troubles.join('; '),
      ready,
      'see the log of the server',
    ),
    ...(sandbox ? [toIsolationFinding(sandbox)] : []),
    ...(await examineBackups(stored.url!, stored.token ?? '')),
  ]
}

type BackupState = Output<typeof platform.installation.getInstallationState>['backups']

/** Returns nothing if the first token was deleted, or does not belong to the operator. */
async function examineBackups(url: string, token: string): Promise<Finding[]> {
  const state = await fetchJson<{ backups: BackupState }>(
    `${url}/v1/platform/installation`,
    token,
  )
  if (!state) return []
  const { schedule, lastSuccessAt, lastVerifiedAt, nextAt, failure, isOverdue } =
    state.backups
  const newest = lastSuccessAt ? `the newest is of ${lastSuccessAt}` : 'there is none yet'
  const found = [
    schedule === null
      ? finding(
          'backups',
          `no backups are scheduled; ${newest}`,
          false,
          scheduleAdvice,
          'advice',
        )
      : finding(
          'backups',
          `scheduled: ${newest}, verified ${lastVerifiedAt ?? 'never'}, the next is due ${nextAt}`,
          !isOverdue,
          'backups are overdue: see the log of the server',
        ),
  ]
  const problem = failure && `the backup of ${failure.at} failed: ${failure.reason}`
  return problem ? [...found, finding('backups', problem, false, failureAdvice)] : found
}
const scheduleAdvice = 'set BOTSTEAD_BACKUP_SCHEDULE, and keep the files on another disk'
const failureAdvice = 'remove the cause, and make a backup on the page Installation'

type SandboxHealth = Required<Health>['sandbox']

const toIsolationFinding = (sandbox: SandboxHealth) =>
  finding(
    'hosted code',
    describeIsolation(sandbox),
    sandbox.tier === 2,
    sandbox.missing[0] ?? 'host only code that you wrote or reviewed',
    sandbox.tier ? 'advice' : 'bad',
  )

function describeIsolation({ tier, refusal, protections }: SandboxHealth): string {
  if (tier === 2) return 'hosted code is isolated in separate namespaces (tier 2)'
  if (tier !== 1) return refusal ?? 'the server runs no hosted code'
  const code = protections.includes(otherWorkspacesRejected)
    ? otherWorkspacesRejected
    : 'runs code of all workspaces'
  return `isolation contains accidents of hosted code, not attacks (tier 1): ${code}`
}

const fetchHealth = async (url: string, token: string) =>
  (await fetchJson<{ health: Health }>(`${url}/v1/platform/health`, token))?.health ??
  null

async function fetchJson<T>(url: string, token: string): Promise<T | null> {
  const reply = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  return reply?.ok ? ((await reply.json()) as T) : null
}

/** Samples of addresses that are not public. */
const internal = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '::1',
]

async function reach({ botNetwork }: Section<'hosting'>) {
  const reached = internal.filter(botNetwork)
  const what = reached.length
    ? `hosted code can reach internal addresses: ${reached.join(', ')}`
    : 'hosted code cannot reach this machine or private networks'
  return finding(
    'hosted code',
    what,
    reached.length === 0,
    'allow only the addresses that it needs in BOTSTEAD_BOT_NETWORK',
    'advice',
  )
}

export const hostedCodeChecks: DoctorCheck[] = [reach]
