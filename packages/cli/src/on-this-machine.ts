// Commands that work on an installation of this machine itself, and not through its API: as who owns its data folder.
import {
  ArchiveError,
  type Config,
  ConfigError,
  DatabaseError,
  readConfig,
  StartError,
} from '@botstead/server'
import { Failure } from './failure.ts'

/** Gives the settings; what is to be said to the operator becomes a Failure. */
export async function onThisMachine<Result>(work: (config: Config) => Promise<Result>): Promise<Result> {
  try {
    const config = readConfig(process.env)
    if (!process.env.BOTSTEAD_LOG_LEVEL) config.logLevel = 'warn'
    return await work(config)
  } catch (error) {
    const isForThem = [ArchiveError, ConfigError, DatabaseError, StartError].some(
      (type) => error instanceof type,
    )
    throw isForThem ? new Failure((error as Error).message) : error
  }
}
