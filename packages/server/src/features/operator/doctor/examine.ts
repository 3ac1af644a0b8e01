// Checks an installation with the given settings, without changing it. Works without a running
// server; requests the health of a running one.
import type { Config } from '../../../core/config/index.ts'
import { examineDatabase } from './database.ts'
import type { Finding } from './finding.ts'
import { installationChecks } from './installation.ts'
import { keyChecks } from './keys.ts'
import { modelChecks } from './models.ts'
import { networkChecks } from './network.ts'
import { examineServer, hostedCodeChecks } from './server.ts'

/** Returns the findings from installation to server: first the machine, last the running server. */
export async function examine(config: Config): Promise<Finding[]> {
  const checks = [
    ...installationChecks,
    ...keyChecks,
    ...networkChecks,
    ...modelChecks,
    ...hostedCodeChecks,
  ]
  const found = (await Promise.all(checks.map((check) => check(config)))).filter(
    (finding) => finding !== null,
  )
  return [...found, ...(await examineDatabase(config)), ...(await examineServer(config))]
}
