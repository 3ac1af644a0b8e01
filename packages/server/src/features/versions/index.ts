import type { Feature } from '../../core/feature.ts'
import { serveBotDocuments } from './api/bot-documents.ts'
import { handlers } from './api/handlers.gen.ts'
import { firstSteps } from './version-trial.ts'

export const versions = {
  name: 'versions',
  handlers,
  firstSteps,
  routes: serveBotDocuments,
} satisfies Feature
export { readDeployed } from './bot-document.ts'
export { keepDeployed, saveVersion } from './deployed-versions.ts'
export { findExample } from './examples.ts'
export { findIntegrationUses } from './integration-uses.ts'
export {
  type DeployContext,
  type DeployServices,
  publishDocument,
  runDocument,
} from './publication.ts'
export { tables } from './table-rules.ts'
