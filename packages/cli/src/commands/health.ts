// `botstead health`: for people and for supervisors. Silent reasons help nobody, so each trouble is said.
import { type Connecting, serverUrl } from '../credentials.ts'
import { Failure } from '../failure.ts'

export async function health({ json, ...options }: Connecting & { json?: boolean }): Promise<void> {
  const url = serverUrl(options)
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  if (!response) throw new Failure(`no answer from ${url}`)
  const { ready, troubles = [] } = (await response.json().catch(() => ({}))) as {
    ready?: boolean
    troubles?: string[]
  }
  if (json) {
    console.log(JSON.stringify({ url, ready: ready === true, troubles }))
    process.exitCode = ready ? 0 : 1
    return
  }
  if (!ready) throw new Failure(troubles.join('; ') || `${url} answers, but not as this server does`)
  console.log(`${url} is ready`)
}
