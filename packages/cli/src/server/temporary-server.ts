// A server for one command, with its own embedded database in a temporary folder.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ConfigError,
  DatabaseError,
  openReadableLog,
  readConfig,
  StartAborted,
  StartError,
  startServer,
} from '@botstead/server'
import { CliError } from '../failure.ts'
import { openProgress } from '../terminal/progress.ts'
import { type Admin, openAdmin } from './admin.ts'
import { Interrupted } from './interruption.ts'

/** Settings that decide how passages are found. The others belong to the server of this machine. */
const isOfSearch = (name: string) =>
  /^BOTSTEAD_(?:EMBEDDINGS|INCLUDED_MODEL|LOCAL_MODEL|RERANK|MODELS$)/.test(name)

/** Starts a server, and stops it after the work. The signal ends an unfinished start. */
export async function withTemporaryServer<Result>(
  signal: AbortSignal,
  work: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-test-'))
  try {
    const server = await start(folder, signal)
    try {
      const { url, token, workspaceId } = server.credentials
      return await work(
        openAdmin({ server: url, token: token ?? '', workspace: workspaceId }),
      )
    } finally {
      await server.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function start(folder: string, signal: AbortSignal) {
  const progress = openProgress()
  const settings = Object.entries(process.env).filter(([name]) => isOfSearch(name))
  const config = readConfig({
    ...Object.fromEntries(settings),
    BOTSTEAD_DATA: folder,
    BOTSTEAD_PORT: '0',
    BOTSTEAD_SHUTDOWN_SECONDS: '1',
  })
  try {
    const onProgress = (text: string) => progress.show(`Knowledge checks: ${text}`)
    return await startServer(config, { log: openReadableLog(), onProgress, signal })
  } catch (error) {
    if (error instanceof StartAborted) throw new Interrupted()
    if (
      error instanceof ConfigError ||
      error instanceof DatabaseError ||
      error instanceof StartError
    )
      throw new CliError(
        `the temporary server of the knowledge checks does not start: ${error.message}; or pass ` +
          '--server <url> to check in a temporary bot there',
      )
    throw error
  } finally {
    progress.end()
  }
}
