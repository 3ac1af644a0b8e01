// The running server: what only it knows.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Health } from '@botstead/contract'
import type { Config } from '../config.ts'
import { othersRefused } from '../delivery/hosting-trust.ts'
import type { Credentials } from '../first-start.ts'
import { type Check, type Finding, finding } from './finding.ts'

export async function examineServer({ dataFolder }: Config): Promise<Finding[]> {
  const known = await readFile(join(dataFolder, 'credentials.json'), 'utf8').then(
    (text) => JSON.parse(text) as Partial<Credentials>,
    () => null,
  )
  const health = known?.url && (await askHealth(known.url, known.token ?? ''))
  if (!health)
    return [finding('server', 'does not run', false, 'botstead start: then this says more', 'advice')]
  const { ready, troubles, sandbox, version } = health
  return [
    finding('server', ready ? `Botstead ${version} is ready` : troubles.join('; '), ready, 'see its log'),
    finding(
      'hosted code',
      wallsOf(sandbox),
      sandbox.tier === 2,
      sandbox.missing[0] ?? 'run code that you wrote or reviewed only',
      sandbox.tier ? 'advice' : 'bad',
    ),
  ]
}

const wallsOf = ({ tier, refusal, protections }: Health['sandbox']) =>
  tier === 2
    ? 'hosted code has namespaces of its own (tier 2)'
    : tier === 1
      ? `hosted code is kept from accidents, not from malice (tier 1)${protections.includes(othersRefused) ? `: ${othersRefused}` : ', also that of workspaces that may distrust each other'}`
      : (refusal ?? 'hosted code is refused')

async function askHealth(url: string, token: string): Promise<Health | null> {
  const reply = await fetch(`${url}/v1/platform/health`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  return reply?.ok ? ((await reply.json()) as { health: Health }).health : null
}

/** Where hosted code may go besides what is public. */
const inside = ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '::1']

async function reach({ botNetwork }: Config) {
  const reached = inside.filter(botNetwork)
  const what = reached.length
    ? `hosted code may connect inside: ${reached.join(', ')}`
    : 'hosted code reaches nothing of this machine or its network'
  return finding(
    'hosted code',
    what,
    reached.length === 0,
    'BOTSTEAD_BOT_NETWORK says where else: as little as it needs',
    'advice',
  )
}

export const hostedCodeChecks: Check[] = [reach]
