// Reads the settings from the environment, once; other modules get them as a value. All have defaults.
// Each section has its settings, with a comment that `npm run generate` writes to docs/configuration.md:
// `NAME [default]: description.` Defaults and ranges of numbers and words come from the calls.
import { type BackupSection, readBackupSection } from './sections/backups.ts'
import { type DatabaseSection, readDatabaseSection } from './sections/database.ts'
import { type DeliverySection, readDeliverySection } from './sections/delivery.ts'
import { type HostingSection, readHostingSection } from './sections/hosting.ts'
import { type HttpSection, readHttpSection } from './sections/http.ts'
import { type KeySection, readKeySection } from './sections/keys.ts'
import { type LimitSection, readLimitSection } from './sections/limits.ts'
import { type MailSection, readMailSection } from './sections/mail.ts'
import { type ModelSection, readModelSection } from './sections/models.ts'
import { type OperationSection, readOperationSection } from './sections/operation.ts'
import { type RetentionSection, readRetentionSection } from './sections/retention.ts'
import { readSignInSection, type SignInSection } from './sections/sign-in.ts'
import { readStorageSection, type StorageSection } from './sections/storage.ts'
import { readTunnelSection, type TunnelSection } from './sections/tunnels.ts'

interface Sections {
  backups: BackupSection
  database: DatabaseSection
  delivery: DeliverySection
  hosting: HostingSection
  http: HttpSection
  keys: KeySection
  limits: LimitSection
  mail: MailSection
  models: ModelSection
  operation: OperationSection
  retention: RetentionSection
  signIn: SignInSection
  storage: StorageSection
  tunnels: TunnelSection
}

/** What a part of the server needs of the settings. */
export type Section<Name extends keyof Sections> = Sections[Name]

export type Config = HttpSection &
  OperationSection &
  DatabaseSection &
  StorageSection &
  BackupSection &
  KeySection &
  DeliverySection &
  HostingSection &
  LimitSection &
  SignInSection &
  RetentionSection &
  TunnelSection &
  MailSection &
  ModelSection

export const readConfig = (env: NodeJS.ProcessEnv): Config => ({
  ...readHttpSection(env),
  ...readOperationSection(env),
  ...readDatabaseSection(env),
  ...readStorageSection(env),
  ...readBackupSection(env),
  ...readKeySection(env),
  ...readDeliverySection(env),
  ...readHostingSection(env),
  ...readLimitSection(env),
  ...readSignInSection(env),
  ...readRetentionSection(env),
  ...readTunnelSection(env),
  ...readMailSection(env),
  ...readModelSection(env),
})
