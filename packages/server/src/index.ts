// The package's only entry.
export { type Config, ConfigError, readConfig } from './config.ts'
export { DatabaseError } from './db/database-error.ts'
export { examine, type Finding } from './doctor.ts'
export type { Credentials } from './first-start.ts'
export { finishRotation, type Rotation, rotateMasterKey } from './key-rotation.ts'
export { StartError } from './lib/start-error.ts'
export { migrateDatabase, type RunningServer, type StartOptions, startServer } from './start.ts'
