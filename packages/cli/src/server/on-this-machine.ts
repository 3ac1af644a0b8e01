// Runs commands that work directly on the data folder and database of this machine, and not over
// the API.
import {
  ArchiveError,
  type Config,
  ConfigError,
  DatabaseError,
  readConfig,
  StartError,
} from '@botstead/server'
import { CliError } from '../failure.ts'

/** Passes the settings to the work. Converts errors that are meant for the operator to Failure. */
export async function onThisMachine<Result>(
  work: (config: Config) => Promise<Result>,
): Promise<Result> {
  try {
    const config = readConfig(process.env)
    if (!process.env.BOTSTEAD_LOG_LEVEL) config.logLevel = 'warn'
    return await work(config)
  } catch (error) {
    const isForOperator = [ArchiveError, ConfigError, DatabaseError, StartError].some(
      (type) => error instanceof type,
    )
    throw isForOperator ? new CliError((error as Error).message) : error
  }
}
