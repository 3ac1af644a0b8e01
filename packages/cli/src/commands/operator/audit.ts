// `botstead audit verify`: checks the hash chain of the workspace's audit log. It prints a
// checkpoint at the end; with --noted of a later run it also detects that the newest entries were
// removed.

import { CliError, UsageError } from '../../failure.ts'
import { openAdmin } from '../../server/admin.ts'
import type { Connecting } from '../../server/connection.ts'

/** It reads the whole log. */
const verifyingMs = 600_000

interface VerifyOptions extends Connecting {
  noted?: string
  json?: boolean
}

export async function verifyAudit({
  noted,
  json,
  ...connecting
}: VerifyOptions): Promise<void> {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(noted ?? '') ?? []
  if (noted !== undefined && !hash)
    throw new UsageError(
      '--noted must be a number, a colon and 64 hexadecimal digits, as this command prints them, not ' +
        `"${noted}"`,
    )
  const { checked, last, fault } = await openAdmin(
    connecting,
  ).client.platform.verifyAudit(
    { query: hash ? { number: Number(number), hash } : {} },
    { signal: AbortSignal.timeout(verifyingMs) },
  )
  if (json) {
    console.log(
      JSON.stringify({
        whole: !fault,
        checked,
        ...(last && { last }),
        ...(fault && { fault }),
      }),
    )
    process.exitCode = fault ? 1 : 0
    return
  }
  if (fault)
    throw new CliError(
      `audit entry ${fault.number}: ${fault.reason}; the ${checked} entries before it are intact`,
    )
  console.log(`${checked} audit entries verified, all intact`)
  if (last)
    console.log(
      `Store this checkpoint elsewhere and pass it to the next run: --noted ${last.number}:${last.hash}`,
    )
}
