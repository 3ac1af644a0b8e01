// Looks an installation over, as it would be started with these settings: what is as it should be, and what to do about the rest. It changes nothing,
// and works whether the server runs or not; what only a running server knows, it asks there.
import type { Config } from '../config.ts'
import { examineDatabase } from './database.ts'
import type { Finding } from './finding.ts'
import { installationChecks } from './installation.ts'
import { keyChecks } from './keys.ts'
import { modelChecks } from './models.ts'
import { networkChecks } from './network.ts'
import { examineServer, hostedCodeChecks } from './server.ts'

/** In the order in which a person would go through them. */
export async function examine(config: Config): Promise<Finding[]> {
  const checks = [...installationChecks, ...keyChecks, ...networkChecks, ...modelChecks, ...hostedCodeChecks]
  const found = (await Promise.all(checks.map((check) => check(config)))).filter(
    (finding) => finding !== null,
  )
  return [...found, ...(await examineDatabase(config)), ...(await examineServer(config))]
}
