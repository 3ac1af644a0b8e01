// `botstead audit verify`: whether the audit records of the workspace are as they were written. What it prints at the end is to be noted elsewhere
// and given to it later: then it also sees when the newest records were taken off.
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'
import { Failure, Misuse } from '../failure.ts'

interface VerifyOptions extends Connecting {
  noted?: string
  json?: boolean
}

export async function verifyAudit({ noted, json, ...connecting }: VerifyOptions): Promise<void> {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(noted ?? '') ?? []
  if (noted !== undefined && !hash)
    throw new Misuse(
      `"${noted}" is not what this command prints: a number, a colon and 64 hexadecimal digits`,
    )
  const { checked, last, fault } = await openAdmin(connecting).verifyAudit(
    number !== undefined && hash !== undefined ? { number, hash } : null,
  )
  if (json) {
    console.log(JSON.stringify({ whole: !fault, checked, ...(last && { last }), ...(fault && { fault }) }))
    process.exitCode = fault ? 1 : 0
    return
  }
  if (fault)
    throw new Failure(
      `audit record ${fault.number}: ${fault.reason}; the ${checked} before it are as they were written`,
    )
  console.log(`${checked} audit records, all as they were written`)
  if (last) console.log(`to be noted elsewhere, for --noted: ${last.number}:${last.hash}`)
}
