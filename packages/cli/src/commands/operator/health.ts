// `botstead health`: prints whether the server is ready, and why not, for people and for
// supervisors.

import { CliError } from '../../failure.ts'
import { type Connecting, findConnection } from '../../server/connection.ts'

export async function runHealth({
  json,
  ...options
}: Connecting & { json?: boolean }): Promise<void> {
  const { url } = findConnection(options)
  const response = await fetch(`${url}/readyz`, {
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null)
  if (!response)
    throw new CliError(`no response from ${url}; check that the server is running`)
  const { ready, troubles = [] } = (await response.json().catch(() => ({}))) as {
    ready?: boolean
    troubles?: string[]
  }
  if (json) {
    console.log(JSON.stringify({ url, ready: ready === true, troubles }))
    process.exitCode = ready ? 0 : 1
    return
  }
  if (!ready)
    throw new CliError(
      troubles.join('; ') ||
        `${url} does not respond like a Botstead server; check the URL`,
    )
  console.log(`${url} is ready`)
}
