// `botstead receipts verify`: verifies receipts of erasures.
import { readFile } from 'node:fs/promises'
import { CliError } from '../../failure.ts'
import { openAdmin } from '../../server/admin.ts'
import type { Connecting } from '../../server/connection.ts'

type Printing = Connecting & { json?: boolean }

export async function runVerifyReceipt(
  file: string,
  { json, ...options }: Printing,
): Promise<void> {
  const receipt = await readReceipt(file)
  const { platform } = openAdmin(options).client
  const result = await platform.verifyErasureReceipt({ body: { receipt } })
  const { isValid, reason, signer } = result
  if (json) {
    console.log(JSON.stringify(result))
    process.exitCode = isValid ? 0 : 1
    return
  }
  if (!isValid)
    throw new CliError(`${file} is not a valid receipt of this installation: ${reason}`)
  console.log(`${file} is valid, signed by ${signer}`)
}

/** Throws CliError for a file that is not JSON. */
export async function readReceipt(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`cannot read ${file} (${error.code})`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(`${file} is not a receipt: it is not valid JSON`)
  }
}
