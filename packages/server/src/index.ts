// The package's only entry.
export { type Config, ConfigError, readConfig } from './config.ts'
export { DatabaseError } from './db/database-error.ts'
export type { Credentials } from './first-start.ts'
export { StartError } from './lib/start-error.ts'
export { type RunningServer, type StartOptions, startServer } from './start.ts'
