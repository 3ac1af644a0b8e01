// Checks the running server (its health report) and the network of hosted code.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Health } from '@botstead/contract'
import type { Config } from '../../infra/config/config.ts'
import { startCommand } from '../../infra/lib/own-command.ts'
import { otherWorkspacesRejected } from '../../modules/delivery/hosting-trust.ts'
import type { Credentials } from '../first-start.ts'
import { type DoctorCheck, type Finding, finding } from './finding.ts'

export async function examineServer({ dataFolder }: Config): Promise<Finding[]> {
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
  return [
    finding(
      'server',
      ready ? `Botstead ${version} is ready` : troubles.join('; '),
      ready,
      'see the log of the server',
    ),
    finding(
      'hosted code',
      isolationOf(sandbox),
      sandbox.tier === 2,
      sandbox.missing[0] ?? 'host only code that you wrote or reviewed',
      sandbox.tier ? 'advice' : 'bad',
    ),
  ]
}

function isolationOf({ tier, refusal, protections }: Health['sandbox']): string {
  if (tier === 2) return 'hosted code is isolated in separate namespaces (tier 2)'
  if (tier !== 1) return refusal ?? 'the server runs no hosted code'
  const code = protections.includes(otherWorkspacesRejected)
    ? otherWorkspacesRejected
    : 'runs code of all workspaces'
  return `isolation contains accidents of hosted code, not attacks (tier 1): ${code}`
}

async function fetchHealth(url: string, token: string): Promise<Health | null> {
  const reply = await fetch(`${url}/v1/platform/health`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  return reply?.ok ? ((await reply.json()) as { health: Health }).health : null
}

/** Samples of addresses that are not public. */
const internal = ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '::1']

async function reach({ botNetwork }: Config) {
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
