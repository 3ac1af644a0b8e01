// Hosted code, and the addresses that code and server may call.
import { parseReach, type Reach } from '@botstead/lib'
import { ConfigError, readInteger, readWord } from '../environment.ts'

export interface HostingSection {
  /**
   * BOTSTEAD_BOT_MEMORY_MB: Memory ceiling of each process of hosted code: of a bot, or of an integration in
   * a workspace. A large webhook gets a process with more.
   */
  botMemoryMb: number
  /**
   * BOTSTEAD_SANDBOX_MIN_TIER: Lowest isolation tier in which hosted code runs; in a lower tier its events
   * stay queued.
   */
  sandboxMinTier: 1 | 2
  /**
   * BOTSTEAD_SANDBOX_TRUST: Workspaces that may run code below tier 2: owners (those of the first workspace's
   * owners), or all.
   */
  sandboxTrust: 'owners' | 'all'
  /**
   * BOTSTEAD_DEPLOY_CHECK: Handling of code that does not load. With report, the server deploys it, marks the
   * deployment as broken and reports the error. With strict, it answers 400 and keeps the previous version,
   * also for scripts of integrations with errors or warnings.
   */
  deployCheck: 'report' | 'strict'
  /**
   * BOTSTEAD_BOT_TUNING: Replacement of two slow parts of bundles, when hosted code is loaded: names of
   * functions that are created later, and axios for requests to this server. Stored code stays unchanged.
   */
  botTuning: 'on' | 'off'
  /**
   * BOTSTEAD_BOT_NETWORK [public]: Addresses that hosted code may reach, from tier 2 on: none, or a list of
   * the word public, addresses and networks, for example public,10.1.0.0/16.
   */
  botNetwork: Reach
  /**
   * BOTSTEAD_URL_NETWORK [public]: Addresses that the server may call for URLs of workspaces, written like
   * BOTSTEAD_BOT_NETWORK. Workspaces of the installation's owners also reach this machine and private
   * networks.
   */
  urlNetwork: Reach
}

export const readHostingSection = (env: NodeJS.ProcessEnv): HostingSection => ({
  botMemoryMb: readInteger(env, 'BOTSTEAD_BOT_MEMORY_MB', 256, 64, 65_536),
  sandboxMinTier: readInteger(env, 'BOTSTEAD_SANDBOX_MIN_TIER', 1, 1, 2) as 1 | 2,
  sandboxTrust: readWord(env, 'BOTSTEAD_SANDBOX_TRUST', ['owners', 'all']),
  deployCheck: readWord(env, 'BOTSTEAD_DEPLOY_CHECK', ['report', 'strict']),
  botTuning: readWord(env, 'BOTSTEAD_BOT_TUNING', ['on', 'off']),
  botNetwork: readReach(env, 'BOTSTEAD_BOT_NETWORK'),
  urlNetwork: readReach(env, 'BOTSTEAD_URL_NETWORK'),
})

function readReach(env: NodeJS.ProcessEnv, name: string): Reach {
  const parsed = parseReach(env[name] || 'public')
  if (!parsed)
    throw new ConfigError(
      `${name} must be none, or a list of public, addresses and networks such as "public, ` +
        `10.0.0.0/8", not "${env[name]}"`,
    )
  return parsed
}
