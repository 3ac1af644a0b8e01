// Logs and metrics, and how a server stops.
import { ConfigError, readInteger, readWord } from '../environment.ts'

export interface OperationSection {
  /**
   * BOTSTEAD_LOG_LEVEL: Lowest level of the JSON log lines on stderr. Without it, `npm start`, and `start`
   * on a terminal, write warnings and errors as sentences.
   */
  logLevel: string
  /**
   * BOTSTEAD_METRICS_TOKEN [none]: Bearer token for `/metrics`, at least 16 ASCII characters. Without it,
   * only this machine may read metrics.
   */
  metricsToken: string | null
  /**
   * BOTSTEAD_CHECK_ANSWERS [0]: 1 compares each response with the contract and fails on a difference. For
   * tests.
   */
  checkAnswers: boolean
  /**
   * BOTSTEAD_DRAIN_SECONDS: How long a stopping server still serves requests while `/readyz` answers 503,
   * so that a proxy with health checks directs new requests to other servers.
   */
  drainSeconds: number
  /** BOTSTEAD_SHUTDOWN_SECONDS: How long the server waits for running work when it stops. */
  shutdownSeconds: number
}

export const readOperationSection = (env: NodeJS.ProcessEnv): OperationSection => ({
  logLevel: readWord(env, 'BOTSTEAD_LOG_LEVEL', [
    'info',
    'trace',
    'debug',
    'warn',
    'error',
    'fatal',
    'silent',
  ]),
  metricsToken: readBearer(env, 'BOTSTEAD_METRICS_TOKEN'),
  checkAnswers: env.BOTSTEAD_CHECK_ANSWERS === '1',
  drainSeconds: readInteger(env, 'BOTSTEAD_DRAIN_SECONDS', 0, 0, 3600),
  shutdownSeconds: readInteger(env, 'BOTSTEAD_SHUTDOWN_SECONDS', 25, 0, 3600),
})

/** Returns a token that is valid in an Authorization header. */
function readBearer(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!/^[\x21-\x7e]{16,}$/.test(text))
    throw new ConfigError(
      `${name} must have at least 16 ASCII characters, without spaces`,
    )
  return text
}
