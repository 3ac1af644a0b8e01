// `botstead broadcasts create`: a broadcast, or a dry run, from a file.
import { readFile } from 'node:fs/promises'
import { isYaml } from '../documents/document-file.ts'
import { CliError } from '../failure.ts'
import type { Context } from '../server/context.ts'
import { print, printDone, printObject } from '../terminal/printing.ts'

export interface CreateOptions {
  dryRun?: boolean
  idempotencyKey?: string
}

/** Without `--idempotency-key`, retries use the fallback. */
export async function create(
  { client, options }: Context<CreateOptions>,
  file: string,
  fallbackKey: string,
): Promise<void> {
  const given = await readBroadcast(file)
  if (options.dryRun) {
    const { audience, message, quietHours } = given
    const body = { audience, message, ...(quietHours && { quietHours }) }
    const { messages, skipReasons, ...counts } = await client.platform.previewBroadcast({
      body,
    })
    if (options.json) return printObject({ ...counts, skipReasons, messages }, options)
    printObject({ ...counts, ...skipReasons }, options)
    for (const { userId, payload } of messages)
      print(`${userId}  ${JSON.stringify(payload)}`)
    return
  }
  const { retry } = await import('../server/server-client.ts')
  const headers = { 'idempotency-key': options.idempotencyKey ?? fallbackKey }
  const { broadcast } = await retry(4, () =>
    client.platform.createBroadcast({ body: given }, { headers }),
  )
  printDone(`Created ${broadcast.id}`, broadcast, options)
}

type NewBroadcast = Parameters<
  Context['client']['platform']['createBroadcast']
>[0]['body']

/** The server checks the fields. */
async function readBroadcast(file: string): Promise<NewBroadcast> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`cannot read ${file}: ${error.message}`)
  })
  const { parseText } = await import('@botstead/flows/document-text')
  try {
    const { value } = parseText(text, isYaml(file) ? 'YAML' : 'JSON')
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as NewBroadcast
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`)
  }
  throw new CliError(`${file} must contain an object with name, audience and message`)
}
