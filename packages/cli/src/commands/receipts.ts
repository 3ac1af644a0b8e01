// `botstead receipts`: lists and verifies receipts of erasures.
import { readFile } from 'node:fs/promises'
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'
import { CliError } from '../failure.ts'
import { itemsOf } from '../server-client.ts'
import { openBot } from './users.ts'

type Printing = Connecting & { json?: boolean }

export async function runListReceipts({
  json,
  ...options
}: Printing & { bot?: string }): Promise<void> {
  const { platform } = openBot(options)
  const erasures = itemsOf(async (page) => {
    const { erasures, meta } = await platform.listErasures({ query: page })
    return { items: erasures, nextToken: meta.nextToken }
  })
  for await (const { id, userId, state, createdAt, receipt } of erasures)
    if (!json)
      console.log(`${id}  ${createdAt.slice(0, 16).replace('T', ' ')}  ${state}  ${userId}`)
    else if (receipt) console.log(JSON.stringify(receipt))
}

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
  if (!isValid) throw new CliError(`${file} is not a valid receipt of this installation: ${reason}`)
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
